// The view Set: all levels as pictures and as a curve, ordered by hand or by rating, chosen and made for a wanted curve.
'use strict';

// The levels of the files `paths` (all files if undefined): `part` are those that the engine has told so far, `next` is the number of the
// first one that is left, `answer` all of them, else null. `files` tells which files these are, `order` are the numbers of the levels in
// the order of the view.
const levelSet = {part: null, answer: null, loading: null, paths: undefined, files: null, order: []};

const setPaths = () => levelSet.paths || desk.files;

// Asks for the levels, some at a time and while nothing else is asked: many levels take minutes. An event `part` tells of each answer.
async function readSet(part) {
  while (part.next) {
    await quiet();
    part.isAsked = levelSet.part === part;
    const found = part.isAsked && await ask('set', {paths: setPaths(), first: part.next}, 'levels');
    part.isAsked = false;
    if (levelSet.part !== part) return null; // files or the rule changed
    if (!found) continue;                    // another question came first
    if (found.fault) return found;
    const files = JSON.stringify([desk.game, found.versions]), isSame = part.next === 1 || files === part.files;
    Object.assign(part, found, {files, levels: isSame ? [...part.levels, ...found.levels] : [], next: isSame ? found.next : 1});
    document.dispatchEvent(new Event('part'));
  }
  if (part.files !== levelSet.files) levelSet.order = part.levels.map((_, i) => i + 1);
  levelSet.files = part.files;
  return levelSet.answer = part;
}

// All levels of the set, or a fault; null if they are no longer asked for.
function loadSet() {
  if (!levelSet.part) levelSet.loading = readSet(levelSet.part = {levels: [], next: 1});
  return levelSet.loading;
}

{
  // An item is a level of the set, with its `number`; one that was made, with its `text`; or a gap, with the rating `wanted`.
  let shown = [], before = [];   // items, and earlier lists for undo
  let wanted = null;             // ratings, by place
  let at = 0;                    // the place of the curve that keys change, from 0 on
  let loading = null;            // the promise of the last load()
  let shownFiles = null, answer = null; // what the items are from: levelSet.files and levelSet.answer
  const parts = {};
  const figures = new Map();     // by item

  const known = item => item.rating !== undefined;
  const ends = () => answer?.scale || [1, 10];
  const ratingOf = item => known(item) ? item.rating.toFixed(2) : item.wanted !== undefined ? `wanted: ${item.wanted.toFixed(1)}`
    : item.limit ? `no rating: the limit on ${item.limit} was met` : 'no rating';
  const nameOf = item => item.name ?? 'no level yet';

  function put(next, keep = true) {
    if (keep) before.push(shown);
    shown = next;
    levelSet.order = shown.filter(item => item.number).map(item => item.number);
    draw();
  }

  function move(from, to) {
    if (to < 0 || to >= shown.length || from === to) return;
    const next = shown.filter((_, i) => i !== from);
    next.splice(to, 0, shown[from]);
    put(next, false);
  }

  function undo() {
    if (before.length) put(before.pop(), false);
  }

  const hard = item => (answer.falls ? -1 : 1) * item.rating;

  function sort() {
    const rated = shown.filter(known).sort((a, b) => hard(a) - hard(b));
    put([...rated, ...shown.filter(item => !known(item))]);
  }

  // Shows the levels as they are now. Of the same files the order stays; levels that were made lose the rating of another rule.
  async function load() {
    const found = await loadSet();
    if (!found || hasFault(found)) return;
    const fresh = found.levels.map((level, i) => ({...level, number: i + 1}));
    figures.clear();
    if (levelSet.files === shownFiles) {
      const isOther = answer.levels.map(ratingOf).join() !== found.levels.map(ratingOf).join();
      const renewed = list => list.map(item => item.number ? fresh[item.number - 1] : isOther ? {...item, rating: undefined} : item);
      before = before.map(renewed);
      put(renewed(shown), false);
    } else {
      before = [];
      wanted = null;
      put(fresh, false);
      parts.count.value = shown.length || 10;
    }
    [shownFiles, answer] = [levelSet.files, found];
    parts.problems.hidden = !found.problems.length;
    parts.problems.replaceChildren(element('summary', {}, `${found.problems.length} files are no levels of this game`),
      ...found.problems.map(problem => element('p', {}, problem)));
  }

  // The element of an item, made once: pictures are large.
  function figureOf(item) {
    if (figures.has(item)) return figures.get(item);
    const picture = element('div', {class: 'picture'});
    if (item.picture) showPicture(picture, item);
    else picture.textContent = item.problem || '?';
    const made = element('figure', {tabindex: 0}, picture, element('figcaption'), element('span', {class: 'handle', title: 'Drag to another place'}, '⠿'));
    figures.set(item, made);
    return made;
  }

  function draw() {
    shown.forEach((item, i) => {
      const made = figureOf(item), twin = item.twin && shown.find(other => other.number === item.twin);
      made.dataset.place = i;
      made.classList.toggle('twin', Boolean(twin));
      made.setAttribute('aria-label', `${i + 1}: ${nameOf(item)}, ${ratingOf(item)}`);
      made.querySelector('figcaption').replaceChildren(element('b', {}, ratingOf(item)), ` ${i + 1} · ${nameOf(item)}`,
        twin ? element('span', {class: 'dim'}, ` twin of ${twin.name}`) : '');
    });
    const active = document.activeElement;
    parts.grid.replaceChildren(...shown.map(figureOf));
    if (active?.closest?.('figure')) active.focus();
    parts.undo.disabled = !before.length;
    parts.title.textContent = `${shown.filter(item => item.name).length} levels`;
    drawCurve();
  }

  function drawCurve() {
    const count = Math.max(shown.length, wanted?.length || 0, 2);
    const values = [...shown.filter(known).map(item => item.rating), ...wanted || [], ...ends()];
    parts.chart.resize([1, count], endsOf(values), ['place', 'rating']);
    const points = shown.map((item, i) => [i + 1, item.rating]).filter(point => point[1] !== undefined);
    parts.chart.draw('line', line(parts.chart, points));
    parts.chart.draw('dots', dots(parts.chart, points));
    parts.chart.draw('wanted', line(parts.chart, (wanted || []).map((rating, i) => [i + 1, rating])));
    if (wanted) parts.chart.mark(at + 1, wanted[at]);
    else parts.chart.mark();
    parts.choose.disabled = parts.make.disabled = !wanted;
  }

  // A straight wanted curve through the ratings of the set, of as many levels as are asked for.
  function straight() {
    const count = Math.max(2, Math.min(500, Number(parts.count.value) || 2)), ratings = shown.filter(known).map(item => item.rating);
    const [low, high] = ratings.length > 1 ? endsOf(ratings) : ends();
    const [first, last] = answer.falls ? [high, low] : [low, high];
    wanted = Array.from({length: count}, (_, i) => first + (last - first) * i / (count - 1));
    at = 0;
    drawCurve();
  }

  let drawn = null; // the last point of the hand that draws, [place, rating]

  function onPointer(event) {
    if (event.type === 'pointermove' && !drawn || !shown.length && !wanted) return;
    if (!wanted) straight();
    if (event.type === 'pointerdown') parts.chart.element.setPointerCapture(event.pointerId);
    const [x, y] = parts.chart.at(event), [low, high] = endsOf(ends());
    const next = [Math.max(0, Math.min(wanted.length - 1, Math.round(x) - 1)), Math.max(low, Math.min(high, y))];
    const last = drawn || next, steps = Math.abs(next[0] - last[0]);
    for (let i = 0; i <= steps; i++) { // places between two events
      const share = steps ? i / steps : 1;
      wanted[Math.round(last[0] + share * (next[0] - last[0]))] = last[1] + share * (next[1] - last[1]);
    }
    drawn = event.type === 'pointerup' ? null : next;
    at = next[0];
    drawCurve();
  }

  function onCurveKey(event) {
    const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key] || [];
    if (dx === undefined) return;
    event.preventDefault();
    if (!wanted) return straight();
    at = Math.max(0, Math.min(wanted.length - 1, at + dx));
    const [low, high] = endsOf(ends());
    wanted[at] = Math.max(low, Math.min(high, wanted[at] + dy * (event.shiftKey ? 1 : 0.1)));
    drawCurve();
    say(`Place ${at + 1}: ${wanted[at].toFixed(1)} is wanted.`);
  }

  const rangeOf = rating => [-1, 1].map(side => (rating + side * Number(parts.within.value)).toFixed(3)).join('..');

  async function choose() {
    const found = await ask('choose', {paths: setPaths(), wanted: wanted.map(rangeOf)}, 'set');
    if (!found || hasFault(found)) return;
    const byNumber = new Map(before.concat([shown]).flat().filter(item => item.number).map(item => [item.number, item]));
    put(found.places.map((number, i) => byNumber.get(number) || {wanted: wanted[i]}));
  }

  // Makes levels for the gaps; if there are none, for the whole curve, behind the others.
  async function make() {
    const gaps = shown.filter(item => !item.name), list = gaps.length ? gaps : wanted.map(rating => ({wanted: rating}));
    parts.stop.hidden = false;
    const found = await whileAsked('set', ask('make', {wanted: list.map(item => rangeOf(item.wanted)), like: parts.like.value,
      seed: Number(parts.seed.value), seconds: Number(parts.seconds.value)}, 'set'),
    ({done, seconds}) => sayMeanwhile(`${done} of ${list.length} levels are made, ${seconds.toFixed(0)} s`));
    parts.stop.hidden = true;
    if (!found) return say('Stopped.');
    if (hasFault(found)) return;
    const made = new Map(found.levels.map(level => [list[level.slot - 1], level]));
    put((gaps.length ? shown : [...shown, ...list]).map(item => made.get(item) || item));
    say(found.remarks.join(' '));
    parts.seed.value = Number(parts.seed.value) + 1;
  }

  async function save() {
    const path = parts.path.value, {versions} = answer, levels = shown.filter(item => item.name);
    const found = await ask('arrange', {path, paths: setPaths(), versions,
      levels: levels.map(({number, name, text}) => number ? {number} : {name, text})});
    if (hasFault(found)) return;
    if (!desk.files.includes(path)) desk.files.push(path);
    levelSet.paths = [path];
    await openFile(path);
    await loading;
    say(`Saved ${levels.length} levels in ${path}.`);
  }

  function openLevel({path, place}) {
    if (path) location.hash = `level/${encodeURIComponent(path)}/${place}`;
  }

  function onKey(event) {
    const place = Number(event.target.closest('figure')?.dataset.place);
    if (Number.isNaN(place)) return;
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step && event.shiftKey) {
      before.push(shown);
      move(place, place + step);
      parts.grid.children[place + step]?.focus();
    } else if (step) {
      parts.grid.children[place + step]?.focus();
    } else if (event.key === 'Delete') {
      put(shown.filter((_, i) => i !== place));
      parts.grid.children[Math.min(place, shown.length - 1)]?.focus();
    } else if (event.key === 'Enter') {
      openLevel(shown[place]);
    } else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) {
      undo();
    } else {
      return;
    }
    event.preventDefault();
  }

  let dragged = null; // the item

  // A level is dragged by its handle, with a mouse also by its picture.
  function onDrag(event) {
    if (event.type === 'pointerdown') {
      const figure = event.target.closest('figure');
      if (!figure || event.button || event.pointerType !== 'mouse' && !event.target.closest('.handle')) return;
      dragged = shown[figure.dataset.place];
      before.push(shown);
      figure.classList.add('dragged');
    } else if (dragged && event.type === 'pointermove') {
      const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('figure');
      if (over && parts.grid.contains(over)) move(shown.indexOf(dragged), Number(over.dataset.place));
    } else if (dragged) {
      figures.get(dragged)?.classList.remove('dragged');
      if (before.at(-1) === shown) before.pop();
      dragged = null;
    }
  }

  function showFiles() {
    parts.file.replaceChildren(element('option', {value: ''}, 'all files'), ...desk.files.map(path => element('option', {}, path)));
    parts.file.value = levelSet.paths?.[0] ?? '';
    parts.path.value = levelSet.paths?.[0] ?? (desk.files.length === 1 ? desk.files[0] : 'ordered.txt');
  }

  function makeView() {
    const part = (name, made) => parts[name] = made;
    const field = (name, label, value, more = {}) => element('label', {}, label + ' ', part(name, element('input', {value, ...more})));
    parts.chart = chart('Ratings over the order of the levels. Draw the wanted curve by hand, or with the arrow keys.', true);
    for (const name of ['pointerdown', 'pointermove', 'pointerup']) parts.chart.element.addEventListener(name, onPointer);
    parts.chart.element.addEventListener('keydown', onCurveKey);
    part('grid', element('div', {class: 'levels', onkeydown: onKey, onpointerdown: onDrag, onpointermove: onDrag,
      ondblclick: event => openLevel(shown[event.target.closest('figure')?.dataset.place] || {})}));
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, onDrag);
    part('file', element('select', {'aria-label': 'Files', onchange: () => {
      levelSet.paths = parts.file.value ? [parts.file.value] : undefined;
      refresh();
    }}));
    return element('div', {class: 'whole'},
      element('div', {class: 'two'},
        card('Ratings in this order', parts.chart.element, element('p', {class: 'dim'}, 'Draw the curve that you want into the picture.')),
        element('div', {},
          card('Wanted curve',
            element('div', {class: 'row'}, field('count', 'Levels', 10, {type: 'number', min: 2, max: 500}), button('Straight', straight),
              field('within', 'Off by at most', 0.5, {type: 'number', min: 0.05, max: 5, step: 0.05})),
            element('div', {class: 'row'}, part('choose', button('Choose from the set', choose, {disabled: true})),
              part('make', button('Make what is missing', make, {disabled: true})), part('stop', button('Stop', () => finish('set'), {hidden: true}))),
            element('details', {}, element('summary', {}, 'Levels to make'),
              element('div', {class: 'row'}, field('like', 'Measures', '', {placeholder: 'moves<=12,size=25'}),
                field('seed', 'Seed', 1, {type: 'number', min: 0}), field('seconds', 'Seconds', 20, {type: 'number', min: 1, max: 3600})))),
          card('Save', element('div', {class: 'row'}, field('path', 'File', ''), button('Save the order', save, {class: 'main', id: 'save-set'}))))),
      element('section', {class: 'card'}, part('title', heading('')),
        element('div', {class: 'row'}, parts.file, button('Order by rating', sort, {id: 'sort'}), part('undo', button('↶', undo, {title: 'Undo'})),
          element('span', {class: 'dim'}, 'Drag a level to its place, or use Shift and the arrow keys; Delete takes it out, Enter opens it.')),
        parts.grid, part('problems', element('details', {class: 'dim', hidden: true}))));
  }

  function refresh() {
    levelSet.part = levelSet.answer = null;
    if (shownView === views.set) {
      showFiles();
      loading = load();
    } else if (shownView === views.level && desk.rule) loadSet();
  }

  document.addEventListener('changed', refresh);
  document.addEventListener('asked', () => { if (levelSet.part?.isAsked) stop('levels'); });
  document.addEventListener('part', () => {
    const {levels, count, next} = levelSet.part;
    if (next && shownView === views.set) sayMeanwhile(`${levels.length} of ${count} levels are rated ...`);
  });

  views.set = {title: 'Set', make: makeView, enter() {
    showFiles();
    if (!levelSet.answer || levelSet.answer !== answer) load();
  }};
}
