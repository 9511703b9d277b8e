// The view Play: the levels of the open file in their order. A player rates each; the ratings are a file to send.
'use strict';

{
  const LOW = 1, HIGH = 10;  // ratings
  const COLUMNS = ['player', 'level', 'position', 'attempt', 'rating', 'time', 'solved', 'skipped']; // docs/formats.md tells them
  const NAME = 'ratings.csv';
  const parts = {};
  let rows = [];             // of the levels that were played, in the order of COLUMNS
  let place = 0, since = 0, file = null;

  // The browser keeps the rows of each game; without a store the page forgets them.
  const kept = (act, ...values) => { try { return localStorage[act]('crux ' + desk.game, ...values); } catch { return null; } };

  const cell = value => /[",\n]/.test(value) ? `"${String(value).replace(/"/g, '""')}"` : String(value);
  const csv = () => [COLUMNS, ...rows].map(row => row.map(cell).join(',') + '\n').join('');
  const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(4)), byte => byte.toString(16).padStart(2, '0')).join('');

  function showRows() {
    parts.csv.value = csv();
    parts.send.hidden = rows.length === 0;
    for (const option of parts.level.children) {
      const row = rows.find(one => one[1] === desk.file.levels[option.value].name);
      option.textContent = `${Number(option.value) + 1} ${desk.file.levels[option.value].name}${row ? ` · ${row[4] || '–'}` : ''}`;
    }
  }

  // Notes a rating of the level, '' for none, and goes on to the next one.
  function rate(rating, isSolved) {
    const level = desk.file.levels[place].name, player = rows[0]?.[0] || fresh();
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    rows = rows.filter(row => row[1] !== level);
    rows.push([player, level, place + 1, 1, rating, seconds, Number(isSolved), Number(!isSolved)]);
    kept('setItem', JSON.stringify(rows));
    showRows();
    if (place + 1 < desk.file.levels.length) play(place + 1);
    else {
      stopPlay();
      parts.asked.hidden = true;
      say(text('thanks') + ' ' + text('finished'));
    }
  }

  function ask(isSolved) {
    parts.asked.hidden = false;
    parts.ratings.replaceChildren(...Array.from({length: HIGH - LOW + 1}, (_, i) => button(String(LOW + i), () => rate(LOW + i, isSolved))),
      button('No answer', () => rate('', isSolved)));
  }

  function play(number) {
    place = number;
    since = performance.now();
    parts.level.value = number;
    parts.asked.hidden = true;
    startPlay(desk.file.levels[number].text, () => ask(true));
  }

  // Shows the levels of the open file, else of the first one that the game reads.
  async function enter() {
    for (const path of desk.file ? [] : desk.files) if (await openFile(path)) break;
    if (!desk.file) return sayMeanwhile('Open levels first');
    if (file === desk.file && view) return;
    file = desk.file;
    rows = JSON.parse(kept('getItem') || '[]');
    parts.level.replaceChildren(...file.levels.map((_, i) => element('option', {value: i})));
    showRows();
    const next = file.levels.findIndex(({name}) => !rows.some(row => row[1] === name));
    play(Math.max(0, next));
  }

  function download() {
    const link = element('a', {download: NAME, href: URL.createObjectURL(new Blob([csv()], {type: 'text/csv'}))});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function make() {
    const part = (name, made) => parts[name] = made;
    return element('div', {class: 'whole'}, element('div', {class: 'two'},
      playCard(part('level', element('select', {'aria-label': 'Level', onchange: () => play(Number(parts.level.value))})),
        button('Give up', () => ask(false))),
      element('div', {},
        part('asked', element('section', {class: 'card', hidden: true, id: 'asked'}, heading(text('rating')),
          part('ratings', element('div', {class: 'row', role: 'group', 'aria-label': text('rating')})),
          element('p', {class: 'dim'}, `${LOW}: ${text('ratingEnds')[0]}, ${HIGH}: ${text('ratingEnds')[1]}`))),
        part('send', element('section', {class: 'card', hidden: true}, heading('Your ratings'),
          element('p', {}, 'Send this file to who asked you to play. Nothing was sent.'),
          part('csv', element('textarea', {rows: 6, readonly: true, 'aria-label': NAME, id: 'ratings'})),
          element('div', {class: 'row'}, button('Download ' + NAME, download, {class: 'main'}),
            button('Forget them', () => { rows = []; kept('removeItem'); showRows(); })))))));
  }

  document.addEventListener('changed', ({detail}) => { if (shownView === views.play && detail !== 'file') enter(); });

  views.play = {title: 'Play', make, enter};
}
