// crux for programs in JavaScript; index.d.ts tells the functions.
'use strict';
const fs = require('fs'), path = require('path'), zlib = require('zlib');
const {startCrux, CruxEngine, CruxFault} = require('./engine.js');

const read = name => fs.readFileSync(path.join(__dirname, name));

// A module with the files of this package; `more` is for its factory.
const open = more => startCrux(require('./crux-clp.js'), new WebAssembly.Module(read('crux-clp.wasm')),
  zlib.gunzipSync(read('crux.data')), more);

// A file of the package for a task: rows, as objects, become CSV.
const cell = value => /[",\n]/.test(value) ? `"${String(value).replace(/"/g, '""')}"` : value ?? '';
const csv = rows => [Object.keys(rows[0]), ...rows.map(Object.values)].map(row => row.map(cell).join(',') + '\n').join('');

async function load() {
  const module = await open({}), engine = new CruxEngine(module);
  const crux = {
    tasks: () => engine.tasks(),
    task: (name, options) => engine.task(name, options),
    limit: limits => engine.limit(limits),
    write(name, content) {
      module.FS.mkdirTree(path.posix.resolve('/', path.posix.dirname(name)));
      module.FS.writeFile(name, Array.isArray(content) ? csv(content) : content);
    },
    read: name => module.FS.readFile(name, {encoding: 'utf8'}),
  };
  for (const name of Object.keys(engine.tasks())) crux[name] ||= options => engine.task(name, options);
  return crux;
}

module.exports = {load, open, CruxFault};
