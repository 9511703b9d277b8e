// The page of a study: shows what the server says, and sends what the player does, one act after the other.
'use strict';

const texts = {
  en: {
    agree: 'I agree', begin: 'Begin', none: '(no answer)', optional: 'You need not answer these questions.',
    play: 'Level {position} of {count}', playOn: 'Level {position}', lesson: 'to learn the game', moves: 'Moves: {moves}', undo: 'Undo', restart: 'Restart',
    skip: 'Skip this level', skip_later: 'You may skip this level in {seconds} s', asText: 'The board as text',
    lost: 'Lost. Undo the move or restart.', lostBy: 'Lost ({cause}). Undo the move or restart.', holds: 'Picked up',
    Solved: 'Solved!', Skipped: 'Skipped.', next: 'Go on',
    rating: 'How hard was it?', enjoyment: 'How enjoyable was it?', ratingEnds: ['very easy', 'very hard'],
    enjoymentEnds: ['not at all', 'very'], thanks: 'Thank you!', done: 'You have done all levels.',
    level: 'Level', yours: 'Your rating', others: 'Others\' mean', solvedBy: 'Solved by others', link: 'Your link',
    linkHint: 'By this link you come back and go on, on this device or another. Who has it plays as you.',
    kept: 'What is kept about me', keptHint: 'Your answers, and what you did in each level, with times. No address, no name of your '
      + 'browser. One cookie lets you come back.', acts: 'Moves and other acts: {acts}', player: 'You are player {player}.',
    time: 'Seconds', used: 'Moves', forget: 'Delete all of it', sure: 'Delete all that is kept about me?', forgotten: 'Deleted.',
    back: 'Back', contact: 'Contact: {contact}', line: 'No connection; trying again …', failed: 'The server had an error; trying again …',
    full: 'The server cannot save anything now; trying again …', many: 'Many people are beginning now. Please try again in a minute.',
    unknown: 'This link is not known here.', consent: 'Please agree first.', answer: 'One of the answers is not as asked for.',
    broken: 'The game has an error: this level cannot go on. What you did is kept, and you can play the other levels.',
    other: 'The level went on in another window.', board: 'The board. Arrow keys and the keys below play.',
    keys: {}, phrases: {},
    knows: 'I know this game and need no tutorial', stop: 'Stop here',
    goOn: 'Go on playing', left: 'You may go on, now or later, by your link.',
    late: 'Your link let you play for {days} days, which are over.',
    personal: 'To take part you need a personal link.', enough: 'This study has all the players that it needs.',
  },
  de: {
    agree: 'Ich stimme zu', begin: 'Anfangen', none: '(keine Angabe)', optional: 'Diese Fragen müssen Sie nicht beantworten.',
    play: 'Level {position} von {count}', playOn: 'Level {position}', lesson: 'zum Kennenlernen', moves: 'Züge: {moves}', undo: 'Zurück', restart: 'Neu beginnen',
    skip: 'Dieses Level überspringen', skip_later: 'In {seconds} s können Sie dieses Level überspringen', asText: 'Das Feld als Text',
    lost: 'Verloren. Nehmen Sie den Zug zurück oder beginnen Sie neu.',
    lostBy: 'Verloren ({cause}). Nehmen Sie den Zug zurück oder beginnen Sie neu.', holds: 'Aufgenommen',
    Solved: 'Gelöst!', Skipped: 'Übersprungen.', next: 'Weiter',
    rating: 'Wie schwer war es?', enjoyment: 'Wie viel Spaß hat es gemacht?', ratingEnds: ['sehr leicht', 'sehr schwer'],
    enjoymentEnds: ['gar keinen', 'sehr viel'], thanks: 'Vielen Dank!', done: 'Sie haben alle Level gespielt.',
    level: 'Level', yours: 'Ihre Wertung', others: 'Mittel der anderen', solvedBy: 'Von anderen gelöst', link: 'Ihr Link',
    linkHint: 'Mit diesem Link kommen Sie wieder und spielen weiter, auf diesem Gerät oder einem anderen. Wer ihn hat, spielt als Sie.',
    kept: 'Was über mich gespeichert ist', keptHint: 'Ihre Antworten, und was Sie in jedem Level getan haben, mit Zeiten. Keine '
      + 'Adresse, kein Name Ihres Browsers. Mit einem Cookie kommen Sie wieder.', acts: 'Züge und anderes: {acts}',
    player: 'Sie sind Spieler {player}.', time: 'Sekunden', used: 'Züge', forget: 'Alles löschen',
    sure: 'Alles löschen, was über mich gespeichert ist?', forgotten: 'Gelöscht.', back: 'Zurück', contact: 'Kontakt: {contact}',
    line: 'Keine Verbindung; neuer Versuch …', failed: 'Der Server hatte einen Fehler; neuer Versuch …',
    full: 'Der Server kann gerade nichts speichern; neuer Versuch …',
    many: 'Gerade beginnen viele. Bitte versuchen Sie es in einer Minute noch einmal.',
    unknown: 'Dieser Link ist hier nicht bekannt.', consent: 'Bitte stimmen Sie erst zu.',
    answer: 'Eine der Antworten ist nicht wie verlangt.', other: 'Das Level ging in einem anderen Fenster weiter.',
    broken: 'Das Spiel hat einen Fehler: Dieses Level geht nicht weiter. Was Sie getan haben, bleibt gespeichert, und die anderen '
      + 'Level können Sie spielen.',
    board: 'Das Feld. Sie spielen mit den Pfeiltasten und den Tasten darunter.',
    keys: {up: 'hoch', down: 'runter', left: 'links', right: 'rechts', enter: 'Eingabe', space: 'Leertaste'},
    phrases: { // of the ways to play games that kits declare
      move: 'bewegen', 'choose a move': 'einen Zug wählen', 'make it': 'ihn machen', 'pick, or put down': 'aufnehmen oder ablegen',
      'move the cursor': 'die Marke bewegen', 'move the cursor, or what it holds': 'die Marke bewegen, oder was sie hält',
      'held: arrows move it, Enter puts it down': 'aufgenommen: Pfeile bewegen es, Eingabe legt es ab',
      'move, and draw the path that is held': 'bewegen, und den Weg ziehen, der aufgenommen ist',
      'take up or put down a path': 'einen Weg aufnehmen oder ablegen',
      'lay a rectangle from corner to corner, or take it up': 'ein Rechteck von Ecke zu Ecke legen oder aufnehmen',
      'place a block A, B, C or D, or take it up again': 'einen Block A, B, C oder D setzen oder aufnehmen',
      'fill the cell': 'das Feld füllen', 'clear it': 'es leeren', 'move #': 'Zug #', 'move # of #': 'Zug # von #',
      '# left': 'noch # leer', '# of # laid': '# von # gelegt',
      '# of as few as possible laid': '# gelegt, von so wenigen wie möglich',
    },
    knows: 'Ich kenne dieses Spiel und brauche keine Einführung', stop: 'Hier aufhören', goOn: 'Weiterspielen',
    left: 'Sie können weiterspielen, jetzt oder später, mit Ihrem Link.',
    late: 'Mit Ihrem Link konnten Sie {days} Tage lang spielen; sie sind vorbei.',
    personal: 'Zum Mitmachen brauchen Sie einen persönlichen Link.', enough: 'Diese Studie hat alle Spieler, die sie braucht.',
  },
};

const language = navigator.languages.map(tag => tag.slice(0, 2)).find(tag => texts[tag]) || 'en';
const byId = id => document.getElementById(id);

function text(name, values = {}) {
  const found = texts[language][name];
  return typeof found === 'string' ? found.replace(/\{(\w+)\}/g, (_, key) => values[key]) : found;
}

// The texts of games in the player's language; `translations` are those of the game, in a file of their own.
const phrases = {...texts[language].phrases, ...translations[language]};

// A text of a game in the player's language: as a whole, or each of its parts that has a translation. # stands for numbers there,
// and for the name of a move.
function phrase(words) {
  const translated = (part, varying) => {
    const values = part.match(varying) || [], found = phrases[part.replace(varying, '#')];
    return found && found.replace(/#/g, () => values.shift());
  };
  const one = part => translated(part, /\d+/g) || translated(part, /(?<=^move ).+$/g);
  return one(words) || words.split(/([;:,] )/).map(part => one(part) || part).join('');
}

// An element with attributes, listeners (onclick: function) and children: elements or texts.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== null));
  return made;
}

const button = (label, onclick, attributes = {}) => element('button', {type: 'button', onclick, ...attributes}, label);

function say(message) { byId('status').textContent = message; }

function show(...children) { byId('main').replaceChildren(...children.filter(child => child !== null)); }

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

// Sends a form until the server answers; the server makes an act that it gets twice once.
async function send(path, fields = {}) {
  for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
    try {
      const response = await fetch(path, {method: 'POST', body: new URLSearchParams(fields)});
      const value = await response.json();
      if (response.status < 500) return {status: response.status, value};
      say(text(value.problem));
    } catch {
      say(text('line'));
    }
    await wait(pause);
  }
}

let view = null;      // what the server said last
let queue = [];       // acts that are not sent yet, each with the ms from the act before
let sending = false;
let input = 'keys';   // by what the player acts: keys, mouse, touch
let seen = 0;         // ms that the page was visible since the last act
let since = performance.now();
let isVisible = !document.hidden;
let shown = 0;        // when the page began to show this level or question
const rest = 400;     // ms in which a question takes no answer: what was meant for the one before

function countTime() {
  const now = performance.now();
  if (isVisible) seen += now - since;
  since = now;
  isVisible = !document.hidden;
}
document.addEventListener('visibilitychange', countTime);
document.addEventListener('keydown', () => { input = 'keys'; }, true);
document.addEventListener('pointerdown', event => { input = event.pointerType === 'mouse' ? 'mouse' : 'touch'; }, true);

// The level or question that acts belong to: acts that wait are dropped when it changes.
const subject = () => [view.stage, view.position, view.asked].join();

// Sends acts in their order. An act that the server did not expect, as after one in another window, ends the rest, whose time
// the next act gets.
async function act(kind, value) {
  if (view.stage === 'question' && performance.now() - shown < rest) return;
  countTime();
  queue.push({act: kind, value, input, time: Math.round(seen)});
  seen = 0;
  if (sending) return;
  sending = true;
  while (queue.length > 0) {
    const next = queue.shift(), before = subject(), number = view.acts + 1;
    const {status, value: answer} = await send('/act', {number, ...next});
    if (status === 200 || status === 409) draw(answer);
    else await start();
    if (status !== 200) queue.unshift(next);
    if (status !== 200 || subject() !== before) for (const {time} of queue.splice(0)) seen += time;
    if (answer.acts > number || status === 409 && answer.acts === number) say(text('other'));
  }
  sending = false;
}

const press = key => act('key', key);

// The square of the picture, its column and row from 1 on, that a pointer points to.
function place(event) {
  const svg = byId('board').querySelector('svg');
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const [left, top, width, height] = view.squares;
  const box = svg.viewBox.baseVal;
  const most = [(box.width - 2 * left) / width, (box.height - 2 * top) / height].map(Math.round);
  return [(point.x - left) / width, (point.y - top) / height].map((x, i) => Math.max(1, Math.min(Math.floor(x) + 1, most[i])));
}

let down = null; // where the pointer went down, its square there, and the last square that it was over

function onPointer(event) {
  if (view.stage !== 'play') return;
  if (event.type === 'pointerdown' && event.button === 0) {
    event.currentTarget.setPointerCapture(event.pointerId);
    const square = String(place(event));
    down = {x: event.clientX, y: event.clientY, first: square, last: square};
    if (view.has_cursor) {
      act('point', square);
      if (view.click) press(view.click);
    }
  } else if (event.type === 'pointermove' && down && view.has_cursor) {
    const here = String(place(event));
    if (here !== down.last && view.click) act('point', here);
    down.last = here;
  } else if (event.type === 'pointerup' && down) {
    const x = event.clientX - down.x, y = event.clientY - down.y;
    if (view.has_cursor) {
      if (down.last !== down.first && view.click) act('drop', '');
    } else if (Math.max(Math.abs(x), Math.abs(y)) >= 24) {
      press(Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : (y > 0 ? 'down' : 'up'));
    }
    down = null;
  } else if (event.type === 'pointercancel') {
    down = null;
  }
}

const named = {ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', Enter: 'enter', ' ': 'space'};

document.addEventListener('keydown', event => {
  if (!view || view.stage !== 'play' || event.ctrlKey || event.altKey || event.metaKey) return;
  if (/^(BUTTON|SUMMARY|A|INPUT)$/.test(event.target.tagName) && (event.key === 'Enter' || event.key === ' ')) return;
  const key = named[event.key] || (/^[!-~]$/.test(event.key) && !/[xq?]/.test(event.key) ? event.key : null);
  if (!key) return;
  event.preventDefault();
  press(key);
});

function message() {
  if (view.lost) return view.lost === true ? text('lost') : text('lostBy', {cause: phrase(view.lost)});
  return view.holds ? text('holds') : '';
}

// Buttons for the keys of the game, for those who touch.
function keyButtons() {
  const arrows = {up: '↑', down: '↓', left: '←', right: '→'};
  const name = key => text('keys')[key] || key;
  return view.keys.map(([keys, what]) => element('div', {class: 'row', role: 'group', 'aria-label': phrase(what)},
    ...keys.split(' ').map(key => button(arrows[key] || name(key), () => press(key),
      {'data-key': key, 'aria-label': `${name(key)}: ${phrase(what)}`})),
    element('span', {}, phrase(what))));
}

let skipIn = 0; // seconds

function showSkip() {
  const skip = byId('skip');
  if (!skip) return;
  skip.hidden = skipIn > 0;
  byId('later').textContent = skipIn > 0 ? text('skip_later', {seconds: skipIn}) : '';
}

setInterval(() => {
  if (!document.hidden) skipIn -= 1;
  showSkip();
}, 1000);

// The picture of the server, which escapes what is from files. Squares are whole pixels wide.
function drawBoard() {
  const board = byId('board');
  if (!board) return;
  board.innerHTML = view.picture;
  const svg = board.querySelector('svg'), {width, height} = svg.viewBox.baseVal;
  const scale = Math.min(byId('main').clientWidth / width, 0.6 * innerHeight / height, 2), square = view.squares[2];
  svg.style.width = `${Math.max(1, Math.floor(scale * square)) / square * width}px`;
}
addEventListener('resize', drawBoard);

// A level keeps its elements while it is played: the focus and a pointer that is down stay where they are.
function showLevel(isNew) {
  if (isNew) {
    const board = element('div', {id: 'board', tabindex: '0', role: 'application', 'aria-label': text('board')});
    for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) board.addEventListener(name, onPointer);
    show(view.doc ? element('p', {}, phrase(view.doc)) : null, board, element('p', {id: 'counts', 'aria-live': 'polite'}), ...keyButtons(),
      element('div', {class: 'row'}, button(text('undo'), () => press('u')), button(text('restart'), () => press('r')),
        button(text('skip'), () => press('x'), {id: 'skip'})),
      element('p', {id: 'later'}),
      element('details', {}, element('summary', {}, text('asText')), element('pre', {id: 'drawing'})));
  }
  drawBoard();
  byId('counts').textContent = text('moves', view) + (view.note ? ` · ${phrase(view.note)}` : '');
  byId('drawing').textContent = view.text.split('\n').map(phrase).join('\n'); // it may end with a note
  skipIn = view.skip_in;
  showSkip();
  say(message());
}

// Buttons for the ratings, and words for their ends.
function ratingButtons() {
  const ratings = [], ends = view.ends || text(view.asked + 'Ends');
  for (let rating = view.low; rating <= view.high; rating++) {
    ratings.push(button(String(rating), () => act('answer', String(rating)), {'aria-pressed': String(rating === view.answer)}));
  }
  return [element('p', {id: 'question'}, text(view.asked)),
    element('div', {class: 'row ratings', role: 'group', 'aria-labelledby': 'question'}, ...ratings),
    element('div', {class: 'row ends'}, element('span', {}, `${view.low}: ${ends[0]}`), element('span', {}, `${view.high}: ${ends[1]}`))];
}

// A field with its label for a question that need not be answered.
function itemField(item) {
  return element('label', {}, item.label + ' ', item.choices
    ? element('select', {name: item.name}, element('option', {value: ''}, text('none')),
      ...item.choices.map(choice => element('option', {selected: choice === view.answer}, choice)))
    : element('input', {name: item.name, value: view.answer, maxlength: 100, step: 'any', type: item.low === null ? 'text' : 'number', min: item.low, max: item.high}));
}

// A question of the study's own about a level.
function itemForm(item) {
  return element('form', {onsubmit: event => {
    event.preventDefault();
    act('answer', event.target.elements[item.name].value.trim());
  }}, itemField(item), element('p', {}, text('optional')), element('button', {class: 'main'}, text('next')));
}

// The answers to the questions before stay in sight, and can be changed until the player goes on.
function showQuestion() {
  const outcome = element('h2', {tabindex: '-1'}, text(view.outcome));
  show(element('div', {id: 'board'}), outcome,
    ...view.given.map(({asked, label, answer}) => element('p', {}, `${label || text(asked)} ${answer === '' ? '–' : answer}`)),
    ...(view.item ? [itemForm(view.item)] : view.asked ? ratingButtons()
      : [button(text('next'), () => press('enter'), {class: 'main'})]),
    view.given.length ? element('div', {class: 'row'}, button(text('back'), () => act('back', ''), {id: 'back'})) : null);
  drawBoard();
  outcome.focus();
}

const rounded = (value, digits) => value === null || value === undefined ? '–' : value.toLocaleString(language, {maximumFractionDigits: digits});

function table(heads, rows) {
  return element('div', {class: 'scroll'}, element('table', {},
    element('thead', {}, element('tr', {}, ...heads.map(head => element('th', {scope: 'col'}, head)))),
    element('tbody', {}, ...rows.map(cells => element('tr', {}, ...cells.map(cell => element('td', {}, cell)))))));
}

function showThanks() {
  show(element('h2', {}, text('thanks')), element('p', {}, text(view.left ? 'left' : 'done')),
    view.left ? button(text('goOn'), start, {class: 'main'}) : null,
    table([text('level'), text('yours'), text('others'), text('solvedBy')], view.levels.map((level, i) => [String(i + 1),
      rounded(level.rating, 0), rounded(level.others, 1), level.solved_by === null ? '–' : rounded(100 * level.solved_by, 0) + ' %'])));
}

function showWelcome() {
  const agrees = element('input', {type: 'checkbox', name: 'consent', value: 'yes', required: true});
  const fields = view.items.map(itemField);
  const knows = element('input', {type: 'checkbox', name: 'knows_game', value: 'yes'});
  const form = element('form', {onsubmit: async event => {
    event.preventDefault();
    const {status, value} = await send('/begin', {consent: 'yes', ...Object.fromEntries(new FormData(form))});
    if (status !== 200) return say(text(value.problem));
    draw(value);
  }}, element('p', {class: 'text'}, view.consent),
  view.consent ? element('label', {}, agrees, ' ' + text('agree')) : null,
  fields.length ? element('p', {}, text('optional')) : null, ...fields,
  view.lessons ? element('label', {}, knows, ' ' + text('knows')) : null,
  element('button', {class: 'main'}, text('begin')));
  show(form);
}

async function showKept() {
  const {status, value} = await send('/kept');
  if (status !== 200) return start();
  const link = `${location.origin}/#${value.token}`;
  view = {...view, stage: 'kept'}; // keys do not play
  show(element('h2', {}, text('kept')), element('p', {}, text('keptHint')), element('p', {}, text('player', value)),
    element('p', {}, text('acts', value)),
    value.answers.length ? table(['', ''], value.answers.map(row =>
      [row.position === null ? row.item : `${text('level')} ${row.position}: ${row.item}`, row.answer])) : null,
    table([text('level'), text('yours'), text('time'), text('used'), text('Solved')], value.plays.map(row => [String(row.position),
      rounded(row.rating, 0), rounded(row.time, 1), String(row.moves_used), row.solved ? '✓' : '–'])),
    element('p', {}, text('link') + ': ', element('a', {href: link}, link)), element('p', {}, text('linkHint')),
    element('div', {class: 'row'}, button(text('back'), start, {class: 'main'}), button(text('forget'), async () => {
      if (!confirm(text('sure'))) return;
      draw((await send('/forget')).value);
      say(text('forgotten'));
    })));
}

// Says why nothing can be played.
function showReason() { show(element('p', {}, text(view.stage, view))); }

function showFailed() {
  show(element('p', {}, text('broken')), button(text('skip'), () => press('x'), {class: 'main'}));
}

// A function of each stage: gets true unless the page shows the same level already.
const stages = {welcome: showWelcome, play: showLevel, question: showQuestion, thanks: showThanks, failed: showFailed, late: showReason,
  personal: showReason, enough: showReason};

function draw(next) {
  const isNew = !view || view.stage !== next.stage || view.position !== next.position, before = view && subject();
  view = next;
  if (subject() !== before) shown = performance.now();
  document.title = byId('title').textContent = view.title;
  byId('progress').textContent = view.position
    ? text(view.count ? 'play' : 'playOn', view) + (view.tutorial ? ` (${text('lesson')})` : '') : '';
  if (isNew) say('');
  stages[view.stage](isNew);
  byId('footer').replaceChildren(...[view.contact ? element('p', {}, text('contact', view)) : null,
    element('div', {class: 'row'}, view.position ? button(text('stop'), async () => draw((await send('/leave')).value)) : null,
      view.acts === undefined ? null : button(text('kept'), showKept))].filter(child => child));
  if (isNew && view.stage === 'play') byId('board').focus();
}

// Shows where the player is, who may come by a link.
async function start() {
  view = null;
  const link = /^#([0-9a-f]{32})$/.exec(location.hash);
  if (link) {
    history.replaceState(null, '', '/');
    const {status, value} = await send('/return', {token: link[1]});
    if (status === 200) return draw(value);
    draw((await send('/view')).value);
    return say(text('unknown'));
  }
  draw((await send('/view')).value);
}

document.documentElement.lang = language;
start();
