// The level is played in place: its board and what a player does on it are those of studies (web/study/hands.js, level.js). Here, not
// on a server, the acts are kept; the engine makes all of them again for each picture.
'use strict';

const translations = {};  // of games, which web/study/texts.js asks for
let view = null;          // what the engine said last, as the page of studies has it
let unanswered = [];      // acts that are not in the picture: {act, value, redraw}
let acts = [];            // those that are in it
let played = null;        // {text, solved}: the level, and what to do when it is solved

const isWaiting = () => unanswered.length > 0;

function act(kind, value, redraw) {
  unanswered.push({act: kind === 'gesture' ? kind : 'key', value, redraw});
  sendActs();
}

const press = key => act('key', key);

async function sendActs(isNew) {
  const made = [...unanswered], sent = [...acts, ...made.map(({act: kind, value}) => [kind, value])];
  const answer = await ask('play', {text: played.text, acts: sent}, 'play');
  if (!answer) return; // a later one has all acts
  if (answer.fault) {
    stopPlay();
    return say(answer.fault.message);
  }
  acts = sent;
  unanswered = unanswered.slice(made.length);
  view = {...answer, time_left: null, cursor: answer.cursor ?? null};
  showLevel(isNew);
  if (isNew) byId('board').focus();
  const end = view.is_done ? 'Solved!' : view.note_of_key;
  if (end) say(end);
  if (view.is_done) played.solved();
}

function startPlay(text, solved = () => {}) {
  played = {text, solved};
  [acts, unanswered] = [[], []];
  byId('play').hidden = false;
  sendActs(true);
}

function stopPlay() {
  view = null;
  byId('play').hidden = true;
}

// The place of a level that is played, below a heading; one at a time is on the page.
const playCard = (title, ...tools) => element('section', {class: 'card', id: 'play', hidden: true}, element('div', {class: 'row'}, title, ...tools),
  element('div', {id: 'main'}), element('pre', {id: 'drawing', class: 'unseen'}));

drawing.below.push(() => [playCard(heading('Play'), button('Stop playing', stopPlay))]);
drawing.tools.push(['▶ Play', 'Play this level', () => startPlay(drawing.text)]);

// Keys and fingers play while they are on the game; elsewhere they draw and type.
for (const name of ['focusin', 'pointerdown']) {
  document.addEventListener(name, ({target}) => { if (view) view.stage = byId('play').contains(target) ? 'play' : 'rest'; }, true);
}
document.addEventListener('edited', () => { if (view && shownView === views.level) stopPlay(); });
addEventListener('hashchange', () => { if (view) stopPlay(); }); // before another view is shown
