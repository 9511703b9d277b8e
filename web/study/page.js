// The stages of a study: shows what the server says.
'use strict';

// A function of each stage: gets true unless the page shows the same level already.
const stages = {welcome: showWelcome, page: showPage, play: showLevel, question: showQuestion, thanks: showThanks, failed: showFailed,
  late: showReason, personal: showReason, enough: showReason};

function draw(next) {
  const isNew = !view || view.stage !== next.stage || view.position !== next.position, before = view && view.subject;
  view = next;
  if (view.subject !== before) shown = performance.now();
  document.title = byId('title').textContent = view.title;
  byId('progress').textContent = view.position
    ? text(view.count ? 'play' : 'playOn', view) + (view.tutorial ? ` (${text('lesson')})` : '') : '';
  const menu = byId('menu'), isPlay = view.stage === 'play';
  if (isNew) {
    say('');
    menu.open = !isPlay; // where nothing is played, its content is the foot of the page
    document.body.className = view.stage;
    byId('drawn').hidden = !isPlay;
  }
  stages[view.stage](isNew);
  if (view.between && isNew === (view.stage === 'question')) replay(); // a page that is loaded shows where it is
  byId('preview').hidden = !view.preview;
  byId('preview').textContent = view.preview && [text('preview'), ...view.preview].filter(Boolean).join(' · ');
  byId('footer').replaceChildren(...[view.contact ? element('p', {}, text('contact', view)) : null,
    element('div', {class: 'row'}, view.position || view.stage === 'page' ? button(text('stop'), async () => draw((await send('/leave')).value)) : null,
      view.acts === undefined ? null
        : view.preview ? button(text('anew'), async () => draw((await send('/forget')).value)) : button(text('kept'), showKept))].filter(child => child));
  if (isNew && view.stage === 'play') byId('board').focus();
}

// Shows where the player is, who may come by a link.
async function start() {
  view = null;
  const link = /^#([0-9a-f]{32})$/.exec(location.hash);
  if (link) {
    history.replaceState(null, '', '/' + location.search);
    const {status, value} = await send('/return', {token: link[1]});
    if (status === 200) return draw(value);
    draw((await send('/view')).value);
    return say(text('unknown'));
  }
  draw((await send('/view')).value);
}

document.documentElement.lang = language;
byId('as-text').textContent = text('asText');
document.querySelector('#menu summary').setAttribute('aria-label', text('menu'));
start();
