#!/usr/bin/env node
// The command crux in node: the same words, files and output as those of the program.
'use strict';
const fs = require('fs');
const {open} = require('./index.js');

// Makes the files of this machine those of the module, but for the folders that the module has itself.
function mount({FS, NODEFS}) {
  NODEFS.node_ops.readlink = node => { // emscripten's takes a link for one from the folder of the mount
    try { return fs.readlinkSync(NODEFS.realPath(node)); } catch (problem) { throw new FS.ErrnoError(NODEFS.convertNodeCode(problem)); }
  };
  for (const {name} of fs.readdirSync('/', {withFileTypes: true}).filter(entry => entry.isDirectory())) {
    if (['dev', 'proc', 'crux', 'usr'].includes(name)) continue;
    FS.mkdirTree('/' + name);
    FS.mount(NODEFS, {root: '/' + name}, '/' + name);
  }
  FS.mkdirTree('/usr/share');
  FS.symlink('/crux/usr/share/lua', '/usr/share/lua'); // the modules that are not crux's
  FS.chdir(process.cwd());
}

// Writes bytes of a stream in blocks.
function stream(descriptor) {
  const bytes = [];
  const flush = () => { for (let rest = Buffer.from(bytes.splice(0)); rest.length > 0;) rest = rest.subarray(fs.writeSync(descriptor, rest)); };
  return {put: byte => { if (bytes.push(byte & 255) >= 1 << 14) flush(); }, flush};
}

async function run(words) {
  const out = stream(1), err = stream(2);
  const module = await open({stdout: out.put, stderr: err.put});
  mount(module);
  for (const name of Object.keys(process.env)) module.ENV[name] = process.env[name];
  process.on('exit', () => { // which emscripten calls when the command has ended
    out.flush();
    err.flush();
  });
  module.callMain(words);
}

run(process.argv.slice(2));
