// A Worker of the page web/workbench/alone.js, behind crux.js and engine.js. Takes {code, archive} to start, {files: [[path, text]]} to
// keep, and {ask: text} for its engine; answers {isReady: true} when it has an engine, {answer: text, wrote: {path, text}}, or
// {broken: message}.
'use strict';

const FOLDER = '/files/'; // see lua/crux/workbench/alone.lua
let take;                 // what makes the engine
const engine = new Promise(resolve => { take = resolve; });

async function open({code, archive}) {
  const module = await startCrux(Crux, code, archive);
  module.FS.mkdir(FOLDER);
  module.FS.chdir(FOLDER);
  return new CruxEngine(module);
}

function answer(one, text) {
  const answered = one.call('crux_page_call', 'answer', text), path = JSON.parse(answered).wrote;
  return {answer: answered, wrote: path && {path, text: one.module.FS.readFile(FOLDER + path, {encoding: 'utf8'})}};
}

onmessage = async ({data}) => {
  try {
    if (data.code) take(open(data));
    const one = await engine;
    for (const [path, text] of data.files || []) one.module.FS.writeFile(FOLDER + path, text);
    if (data.code) postMessage({isReady: true});
    if (data.ask) postMessage(answer(one, data.ask));
  } catch (problem) {
    postMessage({broken: problem.message || String(problem)});
  }
};
