// The carrier of the page without a server: Workers with an engine each (wasm/worker.js), and the files of the page, which the browser
// keeps. wasm/page.js puts the parts of crux into the page, as elements of the class `part`, and what has Clp, too, into clp.js.
//
// Levels travel in the link: #VIEW/open= and, compressed, {game, rule, files: {path: text}}.
'use strict';

{
  const SECONDS = {now: 20, level: 20}; // for a message, by subject; then its Worker is ended
  const MOST_SECONDS = 120;             // for one of another subject
  const PATIENCE = 100;                 // milliseconds for which a Worker goes on with what was overtaken
  const MEMORY = 1000;                  // megabytes for a script
  const COUNT = Math.max(2, Math.min(4, (navigator.hardwareConcurrency || 2) - 1)); // Workers at work; another one is ready to replace one
  const ALONE = 1000;                   // milliseconds for which the first Worker has the processors for itself, if it does not rest before

  const files = new Map();  // texts by path
  const handles = new Map(); // of files that the browser lets the page write, by path
  const named = {};         // the game and rule of the last visit, or of the link
  const workers = [];       // {worker, request, isUrgent, isReady: its engine is there, parts: what it was made of}
  let waiting = [], spare = null;
  let script = null, parts = null; // the address of the Workers' script; a Promise of {code, archive}
  let clp = null;                  // a Promise: true if clp.js came

  let known = null;                // what needs no engine: wasm/page.js

  const isUrgent = ({subject}) => subject === 'now' || subject === 'level';

  // Bytes of base64.
  function bytesOf(text) {
    const decoded = atob(text), bytes = new Uint8Array(decoded.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
    return bytes;
  }

  // A part of the page, which is taken out of it.
  function part(id) {
    const text = byId(id).textContent;
    byId(id).remove();
    return text;
  }

  const through = (bytes, stream, more) => new Response(new Blob([bytes]).stream().pipeThrough(stream), more);
  const transformed = async (bytes, stream) => new Uint8Array(await through(bytes, stream).arrayBuffer());

  const addressOf = text => URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));

  // WebAssembly's code from gzip in base64, compiled while it is decompressed.
  const compiled = text => WebAssembly.compileStreaming(
    through(bytesOf(text), new DecompressionStream('gzip'), {headers: {'Content-Type': 'application/wasm'}}));

  // Starts a Worker, which says when its engine is there.
  function start() {
    const worker = new Worker(script), one = {worker, request: null, isReady: false, parts};
    worker.onmessage = ({data}) => finish(one, data);
    worker.onerror = event => fail(one, event.message);
    parts.then(({code, archive}) => worker.postMessage({code, archive, files: [...files]}));
    return one;
  }

  function hire(place) {
    workers[place] = Object.assign(spare || start(), {isUrgent: place === 0});
    spare = null;
  }

  // Ends a Worker, and puts another one in its place.
  function replace(hired) {
    hired.worker.terminate();
    clearTimeout(hired.request?.timer);
    hire(workers.indexOf(hired));
    hireAll();
  }

  // Hires the other Workers.
  function hireAll() {
    while (workers.length < COUNT) hire(workers.length);
    give();
    setTimeout(() => spare ||= start());
  }

  // Loads Clp, which linear programs need, from the file beside the page, once; true if Workers that are hired now have it.
  const loadClp = () => clp ||= new Promise(done => {
    document.head.append(element('script', {src: 'clp.js', onload: () => done(true), onerror: () => done(false)}));
  }).then(isThere => {
    if (!isThere) return false;
    script = addressOf(withClp.worker);
    parts = Promise.all([compiled(withClp.code), parts]).then(([code, {archive}]) => ({code, archive}));
    spare?.worker.terminate();
    spare = null;
    return true;
  });

  function fail(hired, message) {
    if (!hired.isReady) return say(`crux cannot run here: ${message}`);
    hired.request?.answer({fault: {message}});
    replace(hired);
  }

  async function finish(hired, {isReady, answer, wrote, broken}) {
    if (broken) return fail(hired, hired.isReady ? `a script ended its Worker: ${broken}` : broken);
    if (isReady) {
      hired.isReady = true;
      return give();
    }
    const request = hired.request;
    clearTimeout(request.timer);
    if (answer.includes('found no libClp') && await loadClp() && hired.parts !== parts) {
      if (!workers.includes(hired)) return; // it was overtaken meanwhile
      waiting.push(request);
      return replace(hired);
    }
    if (wrote) await keep(wrote.path, wrote.text, hired);
    request.answer(JSON.parse(answer));
    hired.request = null;
    give();
    if (workers.length < COUNT) setTimeout(() => { if (!workers[0].request) hireAll(); });
  }

  // Gives waiting messages to Workers that are free, those that one waits for first, and others never to the first Worker.
  function give() {
    waiting.sort((a, b) => isUrgent(b) - isUrgent(a));
    for (const hired of workers) {
      const request = hired.request || !hired.isReady ? undefined : waiting.find(one => isUrgent(one) || !hired.isUrgent);
      if (!request) continue;
      waiting = waiting.filter(one => one !== request);
      const seconds = SECONDS[request.subject] || MOST_SECONDS;
      request.since = performance.now();
      request.timer = setTimeout(() => fail(hired, `stopped after ${seconds} s`), 1000 * seconds);
      hired.request = request;
      hired.worker.postMessage({ask: JSON.stringify({setup: {named, limits: {memory: MEMORY}, inputs: levelFiles(), is_alone: true}, message: JSON.stringify(request.message)})});
    }
  }

  const levelFiles = () => [...files.keys()].filter(path => !/\.(lua|csv)$/.test(path));

  // The answer to a message that needs no engine; undefined if it needs one, as that of a desk with the user's scripts does.
  function answerOf({kind, game}) {
    const names = [...files.keys()];
    if (kind === 'fresh') return known.fresh[game];
    if (kind !== 'desk' || names.some(path => path.endsWith('.lua'))) return undefined;
    return {...known.desk, named, files: levelFiles(), tables: names.filter(path => path.endsWith('.csv')).sort()};
  }

  // Answers what a newer message has overtaken, and ends a Worker that is at it for long.
  function overtake(subject, round) {
    if (subject === 'now') return;
    const isOld = request => request && request.subject === subject && request.round < round;
    for (const request of waiting.filter(isOld)) request.answer({overtaken: true});
    waiting = waiting.filter(request => !isOld(request));
    for (const hired of workers.filter(one => isOld(one.request))) {
      const request = hired.request;
      request.answer({overtaken: true});
      setTimeout(() => { if (hired.request === request && workers.includes(hired)) replace(hired); }, PATIENCE);
    }
  }

  // Keeps a file, and gives it to the other Workers; a Promise of the browser's having it.
  function keep(path, text, from) {
    files.set(path, text);
    for (const one of [...workers, spare]) if (one && one !== from) one.worker.postMessage({files: [[path, text]]});
    handles.get(path)?.createWritable().then(async file => { await file.write(text); await file.close(); })
      .catch(() => say(`${path} could not be written; Download saves it`));
    return store('readwrite', kept => kept.put(text, path)).catch(() => {}); // without a store the page forgets it
  }

  // Does something with the browser's store of files; its result.
  const store = (mode, act) => new Promise((resolve, reject) => {
    const opening = indexedDB.open('crux', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('files');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const request = act(opening.result.transaction('files', mode).objectStore('files'));
      request.onsuccess = () => resolve(request.result);
      request.onerror = reject;
    };
  });

  // Takes files that a user gives: scripts of games and rules, ratings of players, and level files.
  async function take(given) {
    for (const {file, handle} of given) {
      const text = await file.text(), key = !/\.lua$/.test(file.name) ? null : /\bcrux\.rule\b/.test(text) ? 'rule' : 'game';
      if (handle) handles.set(file.name, handle);
      keep(file.name, text);
      if (key) use(key, file.name);
      else if (/\.csv$/.test(file.name)) { desk.data = file.name; tell('data'); }
      else {
        desk.files = [file.name, ...desk.files.filter(path => path !== file.name)];
        tell('game'); // the view opens the first file that the game reads
      }
    }
  }

  async function open() {
    if (!window.showOpenFilePicker) return byId('files').click();
    const chosen = await showOpenFilePicker({multiple: true}).catch(() => []); // closed without a choice
    take(await Promise.all(chosen.map(async handle => ({handle, file: await handle.getFile()}))));
  }

  function download() {
    if (!desk.file) return sayMeanwhile('Save the level first');
    const link = element('a', {download: desk.file.path, href: URL.createObjectURL(new Blob([files.get(desk.file.path)]))});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const toLink = bytes => btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const fromLink = text => bytesOf(text.replace(/-/g, '+').replace(/_/g, '/'));

  // Puts the level that is shown into the link, with the scripts of the user that it needs.
  async function share() {
    const scripts = [desk.game, desk.rule].filter(path => files.has(path)).map(path => [path, files.get(path)]);
    const what = {game: desk.game, rule: desk.rule, files: {'linked.txt': desk.text, ...Object.fromEntries(scripts)}};
    const packed = await transformed(new TextEncoder().encode(JSON.stringify(what)), new CompressionStream('deflate-raw'));
    history.replaceState(null, '', '#level/open=' + toLink(packed));
    const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    say(isCopied ? 'The link is copied; it holds the level' : 'The link of the page holds the level now');
  }

  // Takes what the link holds.
  async function readLink() {
    const packed = location.hash.match(/^#\w+\/open=([\w-]+)$/);
    if (!packed) return;
    const text = new TextDecoder().decode(await transformed(fromLink(packed[1]), new DecompressionStream('deflate-raw')));
    const {game, rule, files: linked} = JSON.parse(text);
    Object.assign(named, {game, rule});
    const others = [...files].filter(([path]) => !(path in linked));
    files.clear();
    for (const [path, content] of [...Object.entries(linked), ...others]) files.set(path, String(content));
  }

  // Takes what the browser has kept, and what the link holds.
  async function readFiles() {
    const kept = await store('readonly', all => all.getAllKeys()).catch(() => []);
    const texts = await store('readonly', all => all.getAll()).catch(() => []);
    kept.forEach((path, i) => path ? files.set(path, texts[i]) : Object.assign(named, texts[i])); // game and rule have no path
    await readLink().catch(() => say('The link is not whole'));
  }

  async function begin() {
    script = addressOf(part('part-worker'));
    known = JSON.parse(part('part-known'));
    const taken = readFiles();
    parts = Promise.all([compiled(part('part-code')), transformed(bytesOf(part('part-home')), new DecompressionStream('gzip')), taken])
      .then(([code, archive]) => ({code, archive}));
    hire(0);
    setTimeout(hireAll, ALONE);
    await taken;
    byId('views').before(
      button('Open…', open), element('input', {type: 'file', id: 'files', multiple: true, hidden: true, 'aria-label': 'Files to open',
        onchange: ({target}) => take([...target.files].map(file => ({file})))}),
      button('Download', download), button('Link', share));
    document.addEventListener('changed', () => store('readwrite', kept => kept.put({game: desk.game, rule: desk.rule}, '')).catch(() => {}));
    document.addEventListener('dragover', event => event.preventDefault());
    document.addEventListener('drop', event => {
      event.preventDefault();
      take([...event.dataTransfer.files].map(file => ({file})));
    });
    await Promise.all([parts, carry({
      ask: (message, subject, round) => new Promise(resolve => {
        overtake(subject, round);
        const answer = answerOf(message);
        if (answer) return resolve(answer);
        waiting.push({message, subject, round, answer: resolve});
        give();
      }),
      stop: async (subject, round) => overtake(subject, round),
      progress: async subject => workers.filter(one => one.request?.subject === subject)
        .map(({request}) => ({seconds: (performance.now() - request.since) / 1000, done: 0})),
    })]);
    if (location.protocol.startsWith('http')) navigator.serviceWorker?.register('offline.js').catch(() => {}); // the page works without
  }

  begin().catch(problem => say(`crux cannot run here: ${problem.message}`));
}
