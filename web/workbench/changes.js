// Cards of the view Level: what a change of each square would do to the rating, and levels near this one at a wanted rating.
'use strict';

{
  const parts = {};
  let changes = [], base = null;
  const together = 3;      // questions at a time: browsers keep six connections to a server, and the level needs one
  const questions = 16;    // about all squares, after the first ones, which are about one square each
  const pause = 50;        // ms from the last rating to the first question
  let timer = null;

  const touches = (change, [x, y]) => change.put.some(one => one.x === x && one.y === y);

  // The change of a square that matters most: the one that changes the rating most, else one after which no solution exists.
  function main(list) {
    const rated = list.filter(change => change.rating !== undefined);
    const away = change => Math.abs(change.rating - base.rating);
    return rated.reduce((best, change) => !best || away(change) > away(best) ? change : best, null) || list[0];
  }

  function drawMap() {
    const [left, top, width, height] = base.squares, reach = base.scale ? (base.scale[1] - base.scale[0]) / 4 : 2, bySquare = new Map();
    for (const change of changes) {
      for (const {x, y} of change.put) bySquare.set(`${x} ${y}`, [...bySquare.get(`${x} ${y}`) || [], change]);
    }
    const shapes = [...bySquare].map(([square, list]) => {
      const [x, y] = square.split(' ').map(place => Number(place) - 1), best = main(list), by = best.rating - base.rating;
      const box = `x="${left + x * width}" y="${top + y * height}" width="${width}" height="${height}"`;
      const isRated = best.rating !== undefined, kind = !isRated ? 'unsolved' : by > 0 ? 'harder' : 'easier';
      const strength = isRated ? Math.min(0.75, 0.08 + 0.67 * Math.abs(by) / reach) : 0.3;
      const sign = isRated ? Math.abs(by) < 0.05 ? '' : signed(by).replace('0.', '.') : '×';
      return `<rect class="${kind}" ${box} fill-opacity="${strength.toFixed(2)}"></rect><text x="${left + (x + 0.95) * width}" `
        + `y="${top + (y + 0.93) * height}" font-size="${(0.26 * height).toFixed(1)}" text-anchor="end">${sign}</text>`;
    });
    drawing.map.innerHTML = shapes.join('');
  }

  const name = tile => tile === ' ' ? '␣' : tile;
  const words = ({put}) => put.length === 1 ? `put ${name(put[0].tile)}`
    : `exchange with column ${put[1].x}, row ${put[1].y}`;

  // What the change of a square is, seen from it.
  const seenFrom = ([x, y], change) => change.put.length > 1 && (change.put[1].x === x && change.put[1].y === y)
    ? {...change, put: [...change.put].reverse()} : change;

  function drawList() {
    const here = drawing.here, list = here ? changes.filter(change => touches(change, here)).map(change => seenFrom(here, change)) : [];
    const rank = change => change.rating ?? -Infinity;
    list.sort((a, b) => rank(b) - rank(a));
    parts.here.textContent = here ? `Changes of column ${here[0]}, row ${here[1]}` : 'Choose a square to see its changes.';
    parts.list.replaceChildren(...list.map(change => element('li', {}, button(
      `${words(change)}: ${change.rating !== undefined ? `${change.rating.toFixed(2)} (${signed(change.rating - base.rating)})`
        : change.status === 'unsolvable' ? 'no solution' : 'no solution found soon'}`,
      () => drawing.put(change.put)))));
  }

  // Asks for the changes of all squares, some at a time; each answer is drawn as it comes.
  async function look(answer) {
    const round = nextRound('map'), message = {text: drawing.text, columns: answer.columns, rows: answer.rows}, squares = [];
    for (let y = 1; y <= answer.rows; y++) for (let x = 1; x <= answer.columns; x++) squares.push([x, y]);
    const size = Math.ceil(squares.length / questions);
    let left = squares.length;
    const next = async () => {
      for (let count = 1; squares.length && rounds.map === round; count = size) {
        const some = squares.splice(0, count), found = await ask('changes', {...message, squares: some}, 'map', round);
        if (!found || hasFault(found)) return;
        changes = changes.concat(found.changes);
        left -= some.length;
        parts.state.textContent = left ? `${left} squares to go` : '';
        drawMap();
        drawList();
      }
    };
    await Promise.all(Array.from({length: together}, next));
    drawing.map.dataset.isWhole = left === 0;
  }

  function forget() {
    clearTimeout(timer);
    changes = [];
    drawing.map.replaceChildren();
    drawing.map.dataset.isWhole = false;
    parts.list.replaceChildren();
    parts.state.textContent = '';
    if (rounds.map) stop('map');
  }

  function renew() {
    forget();
    base = drawing.answer;
    if (!parts.shown.checked || !base?.board || base.rating === undefined) return;
    parts.state.textContent = 'looking …';
    timer = setTimeout(() => look(base), pause);
  }

  async function suggest() {
    parts.suggest.disabled = true;
    parts.stop.hidden = false;
    const answer = await whileAsked('suggestions', ask('suggestions', {text: drawing.text, rating: Number(parts.wanted.value)}, 'suggestions'),
      ({done}) => { parts.tried.textContent = `${done} levels tried`; });
    parts.suggest.disabled = false;
    parts.stop.hidden = true;
    if (!answer || hasFault(answer)) return;
    parts.tried.textContent = `${answer.tried} levels tried`;
    parts.found.replaceChildren(...answer.suggestions.map(one => {
      const made = button('', () => drawing.change(one.text), {title: 'Take this level', 'aria-label': `Take the level rated ${one.rating.toFixed(1)}`});
      showPicture(made, one);
      return element('figure', {}, made, element('figcaption', {}, one.rating.toFixed(1)));
    }));
  }

  function showWanted() { parts.label.textContent = `Rating ${Number(parts.wanted.value).toFixed(1)}`; }

  const key = (kind, words) => element('span', {class: 'pair'}, element('span', {class: `key ${kind}`}), words);

  drawing.cards.push(() => [
    card('What makes it hard',
      element('label', {class: 'row'}, parts.shown = element('input', {type: 'checkbox', checked: true, id: 'map', onchange: renew}),
        'Colour each square by the change there that matters most'),
      element('p', {class: 'dim row'}, key('harder', 'harder'), key('easier', 'easier'), key('', 'no change leaves a level'),
        key('unsolved', '× only without a solution'), parts.state = element('span', {role: 'status'})),
      parts.here = element('p', {class: 'dim'}), parts.list = element('ul', {class: 'changes', id: 'changes'})),
    card('Levels like this', parts.label = element('label', {for: 'wanted'}),
      parts.wanted = element('input', {type: 'range', id: 'wanted', min: 1, max: 10, step: 0.1, value: 5, oninput: showWanted}),
      element('div', {class: 'row'}, parts.suggest = button('Suggest', suggest), parts.stop = button('Stop', () => finish('suggestions'), {hidden: true}),
        parts.tried = element('span', {class: 'dim', role: 'status'})),
      parts.found = element('div', {class: 'found', id: 'suggestions'})),
  ]);

  document.addEventListener('rated', () => {
    const {scale, rating} = drawing.answer;
    [parts.wanted.min, parts.wanted.max] = scale ? [Math.min(...scale), Math.max(...scale)] : [1, 10];
    if (!parts.label.textContent && rating !== undefined) parts.wanted.value = rating;
    showWanted();
    renew();
  });
  document.addEventListener('edited', forget);
  document.addEventListener('went', drawList);
}
