// The frame of the workbench: what is open, the questions to the engine, and the views.
//
// A carrier takes messages to an engine (lua/crux/workbench/engine.lua) and starts the page by carry():
//   ask(message, subject, round) -> Promise of the answer, {overtaken: true} if a message of the same subject and of a later round
//                                   came first; messages of the subject 'now' are not overtaken
//   stop(subject, round)         -> Promise: overtakes messages of earlier rounds, and asks nothing
//   finish(subject)              -> Promise: what is asked is answered soon, with what there is; missing where a carrier cannot
//   progress(subject)            -> Promise of a list of {seconds, done}, one for each message that an engine is at
//
// A view is a row of `views`: a file each, which holds its functions in a block. The page goes to it by #NAME/DETAIL.
//   {title, make() -> element, shown once; enter(detail), each time; leave()}
'use strict';

const views = {};
const desk = {      // what is open, the same in all views; `changed` events of the page tell of it
  game: null, rule: null, data: null, games: [], rules: [], files: [], tables: [],
  file: null,       // {path, version, levels: [{name, text, first}]}
  text: '',         // of the level that is shown
};

let carrier = null, shownView = null;
const rounds = {};  // the latest round by subject

// Begins a round of a subject, which overtakes what was asked before.
const nextRound = subject => rounds[subject] = (rounds[subject] || 0) + 1;

const QUIET = 100;  // milliseconds; longer than from a rating to what other files ask about it
const unhurried = ['levels', 'stamps']; // subjects for which nobody waits
let asked = 0, answered = 0; // other questions without an answer, and when the last one was answered

// Asks the engine about what is open. The answer is null if a later round overtook the question.
async function ask(kind, message = {}, subject = 'now', round = nextRound(subject)) {
  const isAwaited = !unhurried.includes(subject);
  if (isAwaited && asked++ === 0) document.dispatchEvent(new Event('asked'));
  const answer = await carrier.ask({game: desk.game, rule: desk.rule, data: desk.data, ...message, kind}, subject, round)
    .catch(() => ({fault: {message: 'crux does not answer; is it still running?'}}));
  if (isAwaited) [asked, answered] = [asked - 1, performance.now()];
  return answer.overtaken || subject !== 'now' && round < rounds[subject] ? null : answer;
}

// Waits until nobody has waited for an answer for a while.
async function quiet() {
  while (asked || performance.now() < answered + QUIET) await new Promise(done => setTimeout(done, QUIET / 2));
}

// Ends what is asked of a subject.
const stop = subject => carrier.stop(subject, nextRound(subject));

// Ends what is asked of a subject, with an answer of what there is.
const finish = subject => carrier.finish ? carrier.finish(subject) : stop(subject);

const progress = subject => carrier.progress(subject);

// Shows how far a question is, {seconds, done}, until it is answered; returns the answer.
async function whileAsked(subject, question, show) {
  let isAnswered = false; // what was asked of the progress may come later
  const watch = setInterval(async () => {
    const [one] = await progress(subject);
    if (one && !isAnswered) show(one);
  }, 300);
  return question.finally(() => {
    isAnswered = true;
    clearInterval(watch);
  });
}

let passing = '';   // what is said until a question has an answer without a fault

function sayMeanwhile(message) {
  passing = message;
  say(message);
}

// Says a fault of an answer; true if it has one. An answer without a fault takes back what passes, but nothing that a save said.
function hasFault(answer) {
  if (answer?.fault) sayMeanwhile(answer.fault.message);
  else if (byId('status').textContent === passing) say('');
  return Boolean(answer?.fault);
}

const tell = what => document.dispatchEvent(new CustomEvent('changed', {detail: what}));

// Opens a level file, which all views then show; false if it cannot be read, with `strict` also if the game reads none of its levels.
async function openFile(path, strict) {
  const answer = await ask('file', {path, strict});
  if (hasFault(answer)) return false;
  desk.file = answer;
  tell('file');
  return true;
}

// Saves the text of a level in a file, and opens it as it is then; false if it is not saved.
//   place: among the levels of the file, from 0 on; undefined for one more level, isNew for a new file
async function saveLevel(path, text, place, isNew) {
  const answer = await ask('save', {path, text, version: isNew ? undefined : desk.file.version,
    place: place === undefined ? undefined : place + 1});
  if (hasFault(answer)) return false;
  if (!desk.files.includes(path)) desk.files.push(path);
  return openFile(path);
}

const number = (value, digits = 3) => value === undefined || value === null ? '' : String(Number(value.toPrecision(digits)));

const signed = value => (value < 0 ? '−' : '+') + number(Math.abs(value), 2);

// Puts the picture of an answer into an element. The engine escapes what is from files.
function showPicture(place, answer) {
  place.innerHTML = answer.picture;
  return place.querySelector('svg');
}

const heading = (title, ...more) => element('h2', {}, title, ...more);
const card = (title, ...children) => element('section', {class: 'card'}, heading(title), ...children);

function showView() {
  const [name, ...detail] = decodeURI(location.hash.slice(1)).split('/'), known = views[name] ? name : 'level';
  if (shownView && shownView !== views[known]) {
    shownView.leave?.();
    say('');
  }
  shownView = views[known];
  shownView.element ||= shownView.make();
  byId('view').replaceChildren(shownView.element);
  for (const link of byId('views').children) link.toggleAttribute('aria-current', link.hash === '#' + known);
  shownView.enter(detail.join('/'));
}

function showChoices(select, rows, chosen, none) {
  const names = rows.map(row => row.name);
  if (chosen && !names.includes(chosen)) names.unshift(chosen);
  select.replaceChildren(...none ? [element('option', {value: ''}, none)] : [], ...names.map(name => element('option', {}, name)));
  select.value = chosen || '';
}

// The tables to fit formulas to: those of the folder, and the one that is open.
function showTables() {
  byId('data').parentElement.hidden = !desk.tables.length && !desk.data;
  showChoices(byId('data'), desk.tables.map(name => ({name})), desk.data, 'none');
}

function choose(key) {
  desk[key] = byId(key).value || null;
  const isOfGame = desk.rules.some(row => row.name === desk.game);
  if (key === 'game') {
    desk.rule = isOfGame ? desk.game : null;
    desk.file = null;
  }
  showChoices(byId('rule'), desk.rules, desk.rule, 'none');
  tell(key);
}

// Takes the rule or the game of the script at a path from now on.
function use(key, path) {
  const rows = desk[key + 's'];
  if (!rows.some(row => row.name === path)) rows.unshift({name: path});
  showChoices(byId(key), rows, path, key === 'rule' ? 'none' : undefined);
  choose(key);
}

// The version of the script that is to be replaced at a path; undefined if none is there, null if the user wants to keep it.
async function versionToReplace(path) {
  const {fault, version} = await ask('script', {path});
  return fault || confirm(`Replace ${path}?`) ? version : null;
}

// Starts the page.
async function carry(one) {
  carrier = one;
  const answer = await ask('desk');
  if (hasFault(answer)) return;
  const {named, games, rules, files, tables} = answer, isRated = ({name}) => rules.some(rule => rule.name === name);
  Object.assign(desk, {games, rules, files, tables, game: named.game || (games.find(isRated) || games[0]).name, data: named.data});
  desk.rule = named.rule || isRated({name: desk.game}) && desk.game || null;
  showChoices(byId('game'), desk.games, desk.game);
  showChoices(byId('rule'), desk.rules, desk.rule, 'none');
  showTables();
  document.addEventListener('changed', ({detail}) => { if (detail === 'data') showTables(); });
  for (const key of ['game', 'rule', 'data']) byId(key).addEventListener('change', () => choose(key));
  byId('views').replaceChildren(...Object.entries(views).map(([name, {title}]) => element('a', {href: '#' + name}, title)));
  addEventListener('hashchange', showView);
  showView();
}
