// Runs tasks of the package for npm, warm, for wasm_bench.lua: node wasm_bench.js PACKAGE WORK.json, where WORK is {files: texts by path,
// cases: [{task, options}]}, prints for each case, as JSON, the least seconds for which one call keeps the processor busy.
'use strict';
const fs = require('fs'), path = require('path');

const SECONDS = 2, LEAST = 5; // a case is called for so long, and so often

// The least seconds of a call; `runs` calls are timed at once, so that they take longer than the clock's steps.
function least(call) {
  const clock = () => { const {user, system} = process.cpuUsage(); return (user + system) / 1e6; };
  let best = Infinity, runs = 1;
  for (let spent = 0, count = 0; spent < SECONDS || count < LEAST; count++) {
    const start = clock();
    for (let i = 0; i < runs; i++) call();
    const time = clock() - start;
    spent += time;
    best = Math.min(best, time / runs);
    if (time < 0.02) runs *= 2;
  }
  return best;
}

async function main(folder, work) {
  const crux = await require(path.resolve(folder)).load(), {files, cases} = JSON.parse(fs.readFileSync(work, 'utf8'));
  for (const [name, text] of Object.entries(files)) crux.write(name, text);
  process.stdout.write(JSON.stringify(cases.map(({task, options}) => least(() => crux.task(task, options)))));
}

main(...process.argv.slice(2));
