// Makes the page of the workbench without a server: node page.js FOLDER prints it; with the word clp, the script with which Workers of
// the page have Clp. FOLDER has page.data, and in package/ crux.js, crux.wasm and crux.data, crux-clp.js and crux-clp.wasm.
'use strict';
const crypto = require('crypto'), fs = require('fs'), path = require('path'), zlib = require('zlib');
const {startCrux, CruxEngine} = require('./engine.js');

const folder = path.resolve(process.argv[2]);
const product = name => fs.readFileSync(path.join(folder, 'package', name));
const own = name => fs.readFileSync(path.join(__dirname, name), 'utf8');

// A script in the page; nothing in it may end it.
const inline = text => text.replace(/<\/script/g, '<\\/script').replace(/<!--/g, '<\\!--');

const hash = text => `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`;

const part = (id, text) => `<script type="text/plain" class="part" id="part-${id}">${text}</script>\n`;

const workerOf = name => [product(name + '.js').toString(), own('engine.js'), own('worker.js')].join('\n');
const codeOf = name => zlib.gzipSync(product(name + '.wasm'), {level: 9}).toString('base64');

// What the page knows without an engine: the answers to messages that never change, of the desk and of the first level of each game.
function known(engine) {
  const ask = message => JSON.parse(engine.call('crux_page_call', 'answer',
    JSON.stringify({setup: {named: {}, limits: {}, inputs: []}, message: JSON.stringify(message)})));
  const desk = ask({kind: 'desk'});
  return {desk, fresh: Object.fromEntries(desk.games.map(({name: game}) => [game, ask({kind: 'fresh', game})]))};
}

async function page() {
  const engine = new CruxEngine(await startCrux(require(path.join(folder, 'package', 'crux.js')), new WebAssembly.Module(product('crux.wasm')),
    zlib.gunzipSync(product('crux.data'))));
  const files = JSON.parse(engine.call('crux_page_call', 'page', ''));
  files['served.js'] = own('../web/workbench/alone.js');
  const scripts = [];
  let html = files[''].replace(/<script src="\/?([^"]+)" defer><\/script>\n/g, (_, name) => (scripts.push(inline(files[name])), ''))
    .replace(/<link rel="stylesheet" href="\/?([^"]+)">/g, (_, name) => `<style>\n${files[name]}</style>`);
  const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${scripts.map(hash).join(' ')}; worker-src blob: 'self'; `
    + "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";
  const parts = part('worker', inline(workerOf('crux'))) + part('code', codeOf('crux'))
    + part('known', inline(JSON.stringify(known(engine)))) + part('home', fs.readFileSync(path.join(folder, 'page.data')).toString('base64'));
  html = html.replace('<meta charset="utf-8">', `$&\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  return html.replace('</body>', () => parts + scripts.map(text => `<script>${text}</script>\n`).join('') + '</body>');
}

const clp = async () => `const withClp = ${JSON.stringify({worker: workerOf('crux-clp'), code: codeOf('crux-clp')})};\n`;

(process.argv[3] === 'clp' ? clp : page)().then(text => process.stdout.write(text));
