// The view Script: the script of the game or of the rule in a small editor; and scripts saved in another editor are loaded again.
'use strict';

{
  const parts = {};
  let file = null;    // {path, save_as, text, version, problem}: the script that is open
  let editor = null, making = null; // {get(), set(text), mark(line)}, and the Promise of it
  let stamps = null;  // of the files of the scripts, as they were last

  const load = (name, attributes) => new Promise((done, failed) => document.head.append(element(name, {...attributes, onload: done, onerror: failed})));

  // CodeMirror where the server has it, else a plain field.
  async function makeEditor() {
    const field = element('textarea', {class: 'editor', spellcheck: 'false', 'aria-label': 'The script'});
    parts.editor.replaceChildren(field);
    try {
      await load('link', {rel: 'stylesheet', href: 'codemirror/lib/codemirror.css'});
      await load('script', {src: 'codemirror/lib/codemirror.js'});
      await load('script', {src: 'codemirror/mode/lua/lua.js'});
    } catch { /* no server has it */ }
    if (!window.CodeMirror) return {get: () => field.value, set: text => { field.value = text; }, mark: () => {}};
    const mirror = CodeMirror.fromTextArea(field, {lineNumbers: true, mode: 'lua', viewportMargin: Infinity,
      screenReaderLabel: 'The script', extraKeys: {Tab: false, 'Shift-Tab': false}});
    let marked = null;
    return {get: () => mirror.getValue(), set: text => mirror.setValue(text), mark: line => {
      if (marked !== null) mirror.removeLineClass(marked, 'background', 'mistake');
      marked = line && mirror.addLineClass(line - 1, 'background', 'mistake');
    }};
  }

  function show(found) {
    file = found;
    parts.path.value = found.save_as;
    parts.problem.textContent = found.problem || '';
    editor.mark(Number(/:(\d+):/.exec(found.problem || '')?.[1]) || null);
  }

  async function open() {
    const of = parts.which.value, found = await ask('script', {path: desk[of], of});
    if (hasFault(found)) return;
    editor.set(found.text);
    show(found);
  }

  async function save() {
    const path = parts.path.value, text = editor.get(), {rule} = desk, of = parts.which.value;
    const version = path === file.path ? file.version : await versionToReplace(path);
    if (version === null) return;
    const found = await ask('save_script', {path, text, version});
    if (hasFault(found)) return;
    show({...await ask('script', {path}), version: found.version});
    if (path !== desk[of]) {
      use(of, path);
      if (of === 'game' && rule) use('rule', rule); // which rates the levels of the new game, too
      showChoice();
      parts.which.value = of;
    }
    say(`Saved ${path}.`);
  }

  // Shows whose script can be opened; true if that has changed.
  function showChoice() {
    const options = ['rule', 'game'].filter(of => desk[of]).map(of => element('option', {value: of}, `${of} ${desk[of]}`));
    if (options.map(one => one.text).join() === [...parts.which.options].map(one => one.text).join()) return false;
    parts.which.replaceChildren(...options);
    return true;
  }

  function makeView() {
    const part = (name, made) => parts[name] = made;
    part('which', element('select', {'aria-label': 'Script', onchange: open}));
    return element('div', {class: 'whole'}, element('section', {class: 'card', onkeydown: event => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      save();
    }}, heading('Script'), element('div', {class: 'row'}, parts.which, part('path', element('input', {'aria-label': 'File'})),
      button('Save', save, {class: 'main'})), part('problem', element('p', {class: 'fault', role: 'status'})), part('editor', element('div'))));
  }

  // Every second: have scripts or data been saved elsewhere?
  setInterval(async () => {
    if (document.hidden || !desk.game) return;
    const answer = await ask('stamps', {}, 'stamps'), now = answer && JSON.stringify(answer);
    if (!now || now === stamps) return;
    const isFirst = stamps === null;
    stamps = now;
    if (isFirst && !answer.fault) return;
    hasFault(answer);
    tell('script');
  }, 1000);

  document.addEventListener('changed', ({detail}) => {
    if (detail === 'game' || detail === 'rule') stamps = null;
  });

  views.script = {title: 'Script', make: makeView, async enter() {
    editor = await (making ||= makeEditor()); // once, also if the view is shown again meanwhile
    if (showChoice()) open();
  }};
}
