// Starts crux as WebAssembly, in a page's Worker and in node, and calls it.
'use strict';

// Writes the files of a tar archive below a folder; it has each folder before what is in it.
function unpack(FS, archive, folder) {
  const decoder = new TextDecoder();
  const text = (from, length) => {
    const end = archive.indexOf(0, from);
    return decoder.decode(archive.subarray(from, end < from + length ? end : from + length));
  };
  for (let at = 0; archive[at]; ) {
    const path = folder + '/' + [text(at + 345, 155), text(at, 100)].filter(Boolean).join('/');
    const size = parseInt(text(at + 124, 12), 8), isFolder = text(at + 156, 1) === '5';
    if (isFolder) FS.mkdirTree(path);
    else FS.writeFile(path, archive.subarray(at + 512, at + 512 + size), {canOwn: true});
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

// Returns a Promise of the module that crux.js makes, with crux's files in /crux.
//   factory: what crux.js defines; code: a WebAssembly.Module of crux.wasm; archive: crux.data, decompressed; more: for the factory
async function startCrux(factory, code, archive, more = {}) {
  const module = await factory({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(code, imports).then(instance => done(instance, code));
      return {};
    },
    ...more,
  });
  unpack(module.FS, archive, '/crux');
  return module;
}

// What a mistake in data, a script or an argument raises; the message is one line.
class CruxFault extends Error {}

// An engine of a module: a Lua state with crux's tasks.
class CruxEngine {
  constructor(module) {
    this.module = module;
    this.fault = module._malloc(512);
    this.engine = this.checked(module._crux_engine_new(0, this.fault));
  }

  checked(address) {
    if (address) return address;
    throw new CruxFault(this.module.UTF8ToString(this.fault, 512));
  }

  text(value) {
    const bytes = this.module.lengthBytesUTF8(value) + 1, address = this.module._malloc(bytes);
    this.module.stringToUTF8(value, address, bytes);
    return address;
  }

  // Calls a function with texts and lists of texts, and returns the text that it returns.
  call(name, ...values) {
    const made = [], keep = address => (made.push(address), address);
    const list = texts => {
      const addresses = texts.map(text => keep(this.text(text))), start = keep(this.module._malloc(4 * texts.length + 4));
      addresses.forEach((address, i) => { this.module.HEAPU32[start / 4 + i] = address; });
      return start;
    };
    const words = values.map(value => Array.isArray(value) ? list(value) : typeof value === 'string' ? keep(this.text(value)) : value);
    try {
      return this.module.UTF8ToString(this.checked(this.module['_' + name](this.engine, ...words, this.fault)));
    } finally {
      for (const address of made) this.module._free(address);
    }
  }

  // Limits of scripts; 0: none.
  limit({seconds = 0, megabytes = 0, instructions = 0}) {
    const limit = this.module._malloc(24);
    this.module.HEAPF64.set([seconds, megabytes, instructions], limit / 8);
    this.module._crux_engine_limit(this.engine, limit);
    this.module._free(limit);
  }

  // The declarations of all tasks by name; see crux_tasks in src/crux.h.
  tasks() { return JSON.parse(this.call('crux_tasks')); }

  // Calls a task: {result, tables, notes, remarks}; see crux_call in src/crux.h. An option that is a list has an array.
  task(name, options = {}) {
    const pairs = Object.entries(options).flatMap(([key, value]) => [].concat(value).map(one => [key, String(one)]));
    return JSON.parse(this.call('crux_call', name, pairs.map(pair => pair[0]), pairs.map(pair => pair[1]), pairs.length));
  }
}

if (typeof module === 'object') module.exports = {startCrux, CruxEngine, CruxFault};
