// A level that is played: the board, the keys, and the buttons below it.
'use strict';

const named = {ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', Enter: 'enter', ' ': 'space'};
const arrows = {up: '↑', left: '←', down: '↓', right: '→'};

// The key of the game that an event of the keyboard means: the game's own, else z, y and r for undo, redo and restart, and x for
// what a tap does.
function keyOf(event) {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) return {z: event.shiftKey ? 'redo' : 'u', y: 'redo'}[event.key.toLowerCase()];
  const known = view.keys.flatMap(([keys]) => keys.split(' ')), key = named[event.key] || event.key;
  if (known.includes(key)) return key;
  const isKey = named[event.key] || /^[!-wyz{-~]$/.test(key) && !/[q?]/.test(key);
  return {z: 'u', Z: 'redo', y: 'redo', x: view.tap}[key] || (isKey ? key : null);
}

document.addEventListener('keydown', event => {
  if (!view || view.stage !== 'play') return;
  if (/^(BUTTON|SUMMARY|A|INPUT)$/.test(event.target.tagName) && (event.key === 'Enter' || event.key === ' ')) return;
  const key = keyOf(event);
  if (!key) return;
  event.preventDefault();
  pressOnBoard(key);
});

function message() {
  if (view.lost) return view.lost === true ? text('lost') : text('lostBy', {cause: phrase(view.lost)});
  return view.holds ? text('holds') : '';
}

const keyName = key => text('keys')[key] || key;

function keyButton(key, what) {
  return button(arrows[key] || keyName(key), () => pressOnBoard(key), {'data-key': key, 'aria-label': `${keyName(key)}: ${phrase(what)}`});
}

// The buttons of the game: those that it paints, else its keys, arrows as a cross. Where a finger points, arrows are needless.
function gameButtons() {
  if (!view.pad) {
    const rows = view.keys.filter(([keys]) => !view.has_cursor || !view.hand && !/\bup\b/.test(keys));
    return rows.map(([keys, what]) => element('div', {class: /\bup\b/.test(keys) ? 'cross' : 'row', role: 'group',
      'aria-label': phrase(what)}, ...keys.split(' ').map(key => keyButton(key, what))));
  }
  const clears = view.keys.filter(([keys]) => keys === 'space' || keys === 'm').map(([key, what]) => button(
    {space: '⌫', m: '✎'}[key], () => pressOnBoard(key), {'data-key': key, id: 'key-' + key, 'aria-label': phrase(what)}));
  return [element('div', {class: 'row pad', role: 'group', 'aria-label': text('values')}, ...view.pad.map(({key, doc, width, height, content}) => {
    const made = button('', () => made.classList.contains('idle') && !isWaiting() ? say(text('idle')) : pressOnBoard(key),
      {'data-key': key, 'aria-label': phrase(doc), title: phrase(doc)});
    made.innerHTML = `<svg class="crux-level" aria-hidden="true" viewBox="0 0 ${width} ${height}">${content}</svg>`;
    return made;
  }), ...clears)];
}

let skipIn = 0;      // seconds
let timeLeft = null; // seconds for the level; null: any number

const clock = seconds => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

function showCounts() {
  byId('counts').textContent = [text('moves', view), view.note && phrase(view.note),
    timeLeft !== null && text('timeLeft', {time: clock(Math.max(0, timeLeft))})].filter(Boolean).join(' · ');
}

function showSkip() {
  const skip = byId('skip');
  if (!skip) return;
  showCommands();
  skip.lastChild.textContent = skipIn > 0 ? clock(skipIn) : text('skipNow');
  skip.title = text(skipIn > 0 ? 'skip_later' : 'skip', {seconds: skipIn});
}

setInterval(() => {
  if (document.hidden || !view || view.stage !== 'play') return;
  skipIn -= 1;
  showSkip();
  if (timeLeft === null) return;
  timeLeft -= 1;
  showCounts();
  if (timeLeft < 0 && !isWaiting()) press('x');
}, 1000);

let replaying = 0; // timer of the next picture

// Shows what the last move came through, a picture after the other, and then the board; nothing where the system asks for less motion.
function replay() {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const {interval, pictures} = view.between;
  const next = i => {
    drawBoard(pictures[i]);
    if (i < pictures.length) replaying = setTimeout(next, interval, i + 1);
  };
  next(0);
}

// The picture of the server, which escapes what is from files, as large as its place allows. Squares are whole pixels wide.
function drawBoard(picture) {
  const board = byId('board');
  if (!board) return;
  if (!picture) clearTimeout(replaying);
  board.innerHTML = picture || view.picture;
  const {width, height} = svg().viewBox.baseVal, place = board.parentNode.getBoundingClientRect(), square = view.squares[2];
  const tall = view.stage === 'play' ? place.height : 0.4 * innerHeight;
  const scale = Math.min(place.width / width, tall / height, 96 / view.squares[3]);
  svg().style.width = `${Math.max(1, Math.floor(scale * square)) / square * width}px`;
  redrawHand();
}
addEventListener('resize', () => drawBoard());

let heard = '';  // what was told last
let known = [];  // what was on each square then
const mostTold = 6; // changes, more than which nobody wants to hear

// A square and what is on it, in words.
const placed = (column, row, thing) => text('where', {column, row, thing: thing ? phrase(thing) : text('nothing')});

// Tells those who hear the page on which square the cursor is and what is there, and what has changed on other squares.
function tellPlace() {
  const [x, y] = view.cursor || [], told = [];
  if (x) told.push(placed(x, y, view.told[y - 1]?.[x - 1] || view.at));
  known.forEach((line, row) => line.forEach((thing, column) => {
    const now = view.told[row]?.[column];
    if (now !== undefined && now !== thing && (row !== y - 1 || column !== x - 1)) told.push(placed(column + 1, row + 1, now));
  }));
  known = view.told;
  const words = told.slice(0, mostTold).join('; ');
  if (words && words !== heard) byId('where').textContent = heard = words;
}

// The reason why a button cannot be pressed now.
const reasons = {
  undo: () => !view.can_undo && text('noUndo'), redo: () => !view.can_redo && text('noRedo'), restart: () => !view.can_undo && text('noUndo'),
  skip: () => skipIn > 0 && text('skip_later', {seconds: skipIn}),
};

// Presses the key of a command, or says why it cannot be pressed.
function command(name, key) {
  const reason = reasons[name]();
  if (reason) say(reason);
  else press(key);
}

function showCommands() {
  for (const name of Object.keys(reasons)) byId(name)?.setAttribute('aria-disabled', Boolean(reasons[name]()));
}

// A level keeps its elements while it is played: the focus and a pointer that is down stay where they are.
function showLevel(isNew) {
  if (isNew) {
    const board = element('div', {id: 'board', tabindex: '0', role: 'application', 'aria-label': text('board')});
    for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) board.addEventListener(name, onPointer);
    const commands = [['undo', '↶', 'u'], ['redo', '↷', 'redo'], ['restart', '↺', 'r'], ['skip', '»', 'x']].map(([name, sign, key]) => {
      const made = button(element('b', {'aria-hidden': 'true'}, sign), () => command(name, key), {id: name});
      made.append(element('span', {}, text(name === 'skip' ? 'skipNow' : name)));
      return made;
    });
    heard = '';
    known = [];
    show(element('p', {id: 'where', class: 'unseen', role: 'status'}), element('div', {id: 'level'},
      element('p', {id: 'doc'}, view.message || (view.doc ? phrase(view.doc) : '')), element('div', {id: 'place'}, board),
      element('p', {id: 'counts', 'aria-live': 'polite'}), element('div', {id: 'buttons'}, ...gameButtons()),
      element('div', {id: 'commands'}, ...commands)));
  }
  timeLeft = view.time_left;
  showCounts();
  byId('drawing').textContent = view.text.split('\n').map(phrase).join('\n'); // it may end with a note
  byId('key-m')?.setAttribute('aria-pressed', view.hand.pencils);
  for (const {key, can} of view.pad || []) document.querySelector(`[data-key="${CSS.escape(key)}"]`).classList.toggle('idle', !can && !isWaiting());
  skipIn = view.skip_in;
  showSkip();
  drawBoard();
  tellPlace();
  say(message());
}
