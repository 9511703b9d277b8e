// What the player does, as acts that are sent until the server answers. No act waits for the answer to the one before: a request
// has all acts that are not answered, and the server makes each once.
'use strict';

let view = null;      // what the server said last
let unanswered = [];  // acts: {number, act, value, input, time: ms since the act before, subject, redraw: draws it on the board}
let flying = 0;       // requests that are not answered
let input = 'keys';   // by what the player acts: keys, mouse, touch
let seen = 0;         // ms that the page was visible since the last act
let since = performance.now();
let isVisible = !document.hidden;
let shown = 0;        // when the page began to show this level or question
let isCut = false;    // the server did not answer the last request
const rest = 400;     // ms in which a question takes no answer: what was meant for the one before
const most = {requests: 6, acts: 50};

const isWaiting = () => unanswered.length > 0 || flying > 0;

function countTime() {
  const now = performance.now();
  if (isVisible) seen += now - since;
  since = now;
  isVisible = !document.hidden;
}
document.addEventListener('visibilitychange', countTime);
document.addEventListener('keydown', () => { input = 'keys'; }, true);
document.addEventListener('pointerdown', event => { input = event.pointerType === 'mouse' ? 'mouse' : 'touch'; }, true);

// Sends a form until the server answers.
async function send(path, fields = {}) {
  for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
    try {
      const response = await fetch(path, {method: 'POST', body: new URLSearchParams(fields)});
      const value = await response.json();
      isCut = response.status >= 500;
      if (!isCut) return {status: response.status, value};
      say(text(value.problem));
    } catch {
      isCut = true;
      say(text('line'));
    }
    await wait(pause);
  }
}

// The time of acts that are not made goes to the next act.
function dropUnanswered() {
  for (const {time} of unanswered.splice(0)) seen += time;
}

// Sends all acts that are not answered, in one request.
async function post() {
  const sent = unanswered.slice(0, most.acts), fields = {number: sent[0].number};
  sent.forEach((act, i) => {
    for (const name of ['act', 'value', 'time', 'input', 'subject']) fields[i ? name + (i + 1) : name] = act[name];
    act.isSent = true;
  });
  flying++;
  const {status, value: answer} = await send('/act', fields);
  flying--;
  if (status !== 200 && status !== 409) {
    dropUnanswered();
    return start();
  }
  if (answer.acts >= view.acts) {
    const last = unanswered.length ? unanswered.at(-1).number : view.acts;
    unanswered = unanswered.filter(act => act.number > answer.acts);
    if (status !== 200 || answer.subject !== view.subject) dropUnanswered();
    draw(answer);
    if (answer.acts > last || status === 409 && answer.acts >= sent[0].number) say(text('other'));
  }
  if (unanswered.some(act => !act.isSent) && flying < most.requests) post();
}

// Makes an act; `redraw` draws at once what will come of it, again and again until the server answers.
function act(kind, value, redraw) {
  if (view.stage === 'question' && performance.now() - shown < rest) return;
  countTime();
  unanswered.push({number: view.acts + unanswered.length + 1, act: kind, value, input, time: Math.round(seen), subject: view.subject, redraw});
  seen = 0;
  if (flying < most.requests && !(flying && isCut)) post();
}

const press = key => act('key', key);
