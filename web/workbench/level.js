// The view Level: a level is drawn or typed; beside it stand its rating, the reasons, and its solution.
//
// Other files add cards beside the board and below it: functions in `drawing.cards` and `drawing.below` that return elements; and
// buttons to `drawing.tools`: sign, title and deed. The document gets events: `edited`
// when the text is another one, `rated` when the engine has answered, `refused` when the text is no level, `went` when the cursor is on another square.
'use strict';

const drawing = {cards: [], below: [], tools: []}; // text, answer: the level and what the engine says of it; here: the square of the cursor, [x, y] or
                             // null; map: an element over the picture, in its units; change(text), put(list of {x, y, tile})

{
  let text = '';        // of the level, with its comments
  let board = null;     // the Squares of the text, also of one that is no level yet; null while a typed text is none
  let place;            // in desk.file, from 0 on; undefined for a new level
  let saved = '';       // the text in the file
  let key = '';         // names the level among the drafts
  let answer = null;    // of the engine about the text, the last one without a fault
  let isBlank = false;  // a new level, of which there is no answer yet
  let shown = null;     // the picture: that of the answer, or squares with letters while the board has another size
  let here = null;      // the square of the cursor, [x, y] from 1 on
  let before = [], after = []; // [text, board] for undo and redo
  const drafts = new Map();    // {text, board, before, after} of levels that were changed and not saved
  const parts = {};     // elements by name

  const levelName = () => place === undefined ? 'new level' : desk.file.levels[place].name;

  // The text of some rows of the board; see Squares in lua/crux/workbench/board.lua.
  function textOf({head, tail, width, eol}, rows) {
    const lines = rows.map(row => (width ? row.map(word => word.padEnd(width)).join(' ') : row.join('')).trimEnd() + eol);
    return head + lines.join('') + tail;
  }

  async function refresh() {
    const begin = performance.now(), round = nextRound('level');
    const watch = setInterval(() => {
      parts.busy.hidden = false;
      parts.seconds.textContent = `solving for ${Math.round((performance.now() - begin) / 1000)} s; a search ends after 10 s`;
    }, 500);
    const found = await ask('level', {text}, 'level', round);
    clearInterval(watch);
    if (rounds.level === round) parts.busy.hidden = true;
    if (found) showAnswer(found);
  }

  // Ends the search for a solution; the rating stays that of the last text that was solved.
  function stopSolving() {
    stop('level');
    parts.busy.hidden = true;
    parts.fault.textContent = 'Stopped: this text is not rated.';
  }

  // Makes another text the level's.
  function change(next, squares = null) {
    if (next === text) return;
    before.push([text, board]);
    after = [];
    setText(next, squares);
  }

  function setText(next, squares) {
    [text, board] = [next, squares];
    document.dispatchEvent(new Event('edited'));
    if (parts.text.value !== text) parts.text.value = text;
    showState();
    if (answer && board) drawBoard();
    refresh();
  }

  function move(from, to) {
    if (!from.length) return;
    to.push([text, board]);
    setText(...from.pop());
  }

  function editRows(edit) {
    if (!board) return;
    const rows = edit(board.rows.map(row => [...row]));
    change(textOf(board, rows), {...board, rows});
  }

  function putAll(list) {
    editRows(rows => {
      for (const {x, y, tile: what} of list) rows[y - 1][x - 1] = what;
      return rows;
    });
  }

  function put([x, y], what) {
    if (what !== null) putAll([{x, y, tile: what}]);
  }

  // Draws what is chosen: a tile on a square, or what a pen draws at a place.
  function draw(square, at) {
    if (palette.pen) palette.draw(palette.pen, ...at);
    else put(square, palette.tile);
  }

  // Turns the board, or by a pen of the game what is no square, too.
  function turn() {
    const pen = answer.pens?.find(({sign}) => sign === 'turn');
    if (pen) palette.draw(pen);
    else editRows(rows => rows[0].map((_, x) => rows.map(row => row[x]).reverse()));
  }

  const empty = () => answer.empty;
  const tools = [
    ['↶', 'Undo', () => move(before, after)], ['↷', 'Redo', () => move(after, before)],
    ['⟳', 'Turn', turn],
    ['+ row', 'One more row', () => editRows(rows => [...rows, rows[0].map(empty)])],
    ['− row', 'One row less', () => editRows(rows => rows.length > 1 ? rows.slice(0, -1) : rows)],
    ['+ column', 'One more column', () => editRows(rows => rows.map(row => [...row, empty()]))],
    ['− column', 'One column less', () => editRows(rows => rows[0].length > 1 ? rows.map(row => row.slice(0, -1)) : rows)],
  ];

  // The place of a point on the board in squares; the centre of the first one is [1, 1].
  function placeOf(event) {
    const picture = parts.board.querySelector('svg'), [left, top, width, height] = shown.squares;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    return [(point.x - left) / width + 0.5, (point.y - top) / height + 0.5];
  }

  const within = ([x, y]) => [Math.max(1, Math.min(shown.columns, x)), Math.max(1, Math.min(shown.rows, y))];

  function onPointer(event) {
    if (!board || !shown || event.type === 'pointermove' && !event.buttons) return;
    const at = placeOf(event), square = within(at.map(Math.round)), far = Math.max(...at.map((one, i) => Math.abs(one - square[i])));
    if (far > (palette.pen ? 0.8 : 0.5) || event.type === 'pointermove' && (palette.pen || String(square) === String(here))) return;
    if (event.type === 'pointerdown') parts.board.setPointerCapture(event.pointerId);
    go(square);
    draw(square, at);
  }

  const arrowKeys = {ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]};

  function onKey(event) {
    if (!board || !shown || event.altKey) return;
    const way = arrowKeys[event.key], [x, y] = here || [1, 1];
    if (event.ctrlKey || event.metaKey) {
      if (event.key === 'z') move(before, after);
      else if (event.key === 'y') move(after, before);
      else return;
    } else if (way && event.shiftKey && palette.pen) {
      draw([x, y], [x + way[0] / 2, y + way[1] / 2]);
    } else if (way) {
      go(within([x + way[0], y + way[1]]));
    } else if (event.key === 'Enter') {
      draw([x, y], [x, y]);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      put([x, y], empty());
    } else if (answer.palette.includes(event.key)) {
      put([x, y], event.key);
    } else {
      return;
    }
    event.preventDefault();
  }

  function go(square) {
    here = square;
    drawCursor();
    document.dispatchEvent(new Event('went'));
  }

  function drawCursor() {
    const [left, top, width, height] = shown.squares, frame = parts.over.querySelector('.here');
    frame.toggleAttribute('hidden', !here);
    if (!here) return;
    for (const [name, value] of Object.entries({x: left + (here[0] - 1) * width, y: top + (here[1] - 1) * height, width, height})) {
      frame.setAttribute(name, value);
    }
    parts.where.textContent = `Column ${here[0]}, row ${here[1]}: ${board?.rows[here[1] - 1][here[0] - 1] ?? ''}`;
  }

  // A picture for a board of another size than the last level's.
  function emptyPicture({length: rows, 0: {length: columns}}) {
    return {rows, columns, squares: [0, 0, 40, 40], picture: `<svg class="crux-picture" viewBox="0 0 ${40 * columns} ${40 * rows}"></svg>`};
  }

  // The tiles of squares that are not in the picture, as letters.
  function drawLetters() {
    const [left, top, width, height] = shown.squares, drawn = [];
    board?.rows.forEach((row, y) => row.forEach((one, x) => {
      if (shown !== answer ? one !== empty() : one !== answer.board?.rows[y][x]) drawn.push([left + x * width, top + y * height, one]);
    }));
    const letters = parts.over.querySelector('.letters');
    letters.innerHTML = drawn.map(([x, y]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}"></rect><text x="${x + width / 2}" `
      + `y="${y + 0.65 * height}" font-size="${0.4 * height}" text-anchor="middle"></text>`).join('');
    letters.querySelectorAll('text').forEach((made, i) => { made.textContent = drawn[i][2]; });
  }

  function drawLines() {
    const {squares: [left, top, width, height], columns, rows} = shown, lines = [];
    for (let x = 0; x <= columns; x++) lines.push(`M${left + x * width},${top}v${rows * height}`);
    for (let y = 0; y <= rows; y++) lines.push(`M${left},${top + y * height}h${columns * width}`);
    parts.over.querySelector('.lines').setAttribute('d', lines.join(''));
  }

  function drawBoard() {
    const isSame = !isBlank && (!board || answer.board && board.rows.length === answer.rows && board.rows[0].length === answer.columns);
    shown = isSame ? answer : emptyPicture(board.rows);
    const picture = showPicture(parts.picture, shown);
    parts.over.setAttribute('viewBox', picture.getAttribute('viewBox'));
    drawLines();
    drawLetters();
    if (here && (here[0] > shown.columns || here[1] > shown.rows)) here = null;
    drawCursor();
    palette.show(answer);
    if (!answer.board) parts.note.textContent = 'The squares of this text are not those of the picture: type in the text.';
  }

  function drawRating() {
    const {rating, low, high, missing, scale, solution} = answer;
    parts.rating.textContent = rating === undefined ? '–' : rating.toFixed(2);
    parts.interval.textContent = rating === undefined
      ? (!desk.rule ? 'no rule is chosen' : solution.status === 'unsolvable' ? 'no rating without a solution'
        : `no rating: ${(missing || []).join(', ')} not known`)
      : low === undefined ? '' : `${low.toFixed(1)} to ${high.toFixed(1)}`;
    const ends = scale || [1, 10], share = value => 100 * Math.max(0, Math.min(1, (value - ends[0]) / (ends[1] - ends[0]))) + '%';
    parts.scale.hidden = rating === undefined;
    if (rating === undefined) return;
    parts.mark.style.left = share(rating);
    parts.range.style.left = share(low ?? rating);
    parts.range.style.width = `calc(${share(high ?? rating)} - ${share(low ?? rating)})`;
  }

  function drawWhy() {
    const shares = new Map((answer.parts || []).map(part => [part[0], part[1]])), most = Math.max(1e-9, ...[...shares.values()].map(Math.abs));
    const rows = answer.measures.map(({name, value, doc}) => [name, value, doc, shares.get(name)]);
    for (const [name, share] of shares) {
      if (!answer.measures.some(measure => measure.name === name)) rows.push([name, undefined, 'a term of the formula', share]);
    }
    parts.why.replaceChildren(...rows.map(([name, value, doc, share]) => {
      const bar = element('div', {class: share < 0 ? 'bar down' : 'bar'});
      if (share !== undefined) bar.style.width = 100 * Math.abs(share) / most + '%';
      return element('tr', {title: doc}, element('td', {}, name), element('td', {}, number(value)),
        element('td', {title: share === undefined ? null : signed(share)}, share === undefined ? '' : bar));
    }));
  }

  // How many of the other levels are easier, of those that are rated so far.
  function drawRank() {
    const {levels = [], count, next} = levelSet.part || {};
    const rated = levels.filter(one => one.rating !== undefined && !(one.path === desk.file?.path && one.place === place + 1));
    const easier = rated.filter(one => answer.falls ? one.rating > answer.rating : one.rating < answer.rating).length;
    parts.rank.textContent = !parts.scale.hidden && rated.length
      ? `harder than ${easier} of ${rated.length} other levels${next ? `, ${count - levels.length} to come` : ''}` : '';
  }

  // The line of a fault in the text: faults name the lines of the text.
  function showFault(fault) {
    parts.fault.textContent = fault ? fault.message : '';
    parts.line.hidden = !fault?.line;
    if (fault?.line) parts.line.style.top = `${9 + 20 * (fault.line - 1) - parts.text.scrollTop}px`;
  }

  function showAnswer(found) {
    showFault(found.fault);
    parts.note.textContent = found.fault ? found.fault.message : '';
    if (found.fault) {
      parts.rating.textContent = '–';
      parts.interval.textContent = parts.rank.textContent = '';
      parts.scale.hidden = true;
      parts.why.replaceChildren();
      document.dispatchEvent(new Event('refused'));
      return;
    }
    [answer, isBlank] = [found, false];
    board = answer.board || null;
    drawBoard();
    drawRating();
    drawWhy();
    drawRank();
    document.dispatchEvent(new Event('rated'));
  }

  function showState() {
    desk.text = text;
    const isSaved = text === saved;
    parts.title.textContent = [levelName(), desk.file?.path, isSaved ? place !== undefined && 'saved' : 'not saved'].filter(Boolean).join(' · ');
    if (isSaved || !before.length) drafts.delete(key);
    else drafts.set(key, {text, board, before, after});
    parts.save.disabled = isSaved;
    parts.undo.disabled = !before.length;
    parts.redo.disabled = !after.length;
  }

  // A new level begins with an empty board of the size of the last one, or with a level that the game makes.
  async function begin() {
    if (answer?.board) {
      const blank = {...answer.board, head: answer.board.opening, rows: answer.board.rows.map(row => row.map(empty))};
      return [textOf(blank, blank.rows), blank];
    }
    return [(await ask('fresh')).text || '', null];
  }

  async function open(number) {
    const round = nextRound('open');
    place = number;
    saved = number === undefined ? '' : desk.file.levels[number].text;
    key = JSON.stringify([desk.game, desk.file?.path, place, saved]);
    parts.level.value = place ?? '';
    parts.name.hidden = place !== undefined;
    [here, isBlank] = [null, false];
    const draft = drafts.get(key);
    [before, after] = draft ? [draft.before, draft.after] : [[], []];
    if (draft) return setText(draft.text, draft.board);
    if (place !== undefined) return setText(saved, null);
    nextRound('level'); // what is asked is of another level
    [text, board] = ['', null];
    parts.text.value = '';
    const made = await begin();
    if (rounds.open !== round || text) return null; // another level was opened or typed meanwhile
    saved = answer ? made[0] : '';
    isBlank = Boolean(made[1]);
    return setText(...made);
  }

  async function save() {
    const path = desk.file ? desk.file.path : parts.path.value;
    const last = place, count = desk.file ? desk.file.levels.length : 0, name = place === undefined && parts.name.value.trim();
    if (!await saveLevel(path, name ? `${answer?.comment ?? ';'} name: ${name}\n${text}` : text, place, !desk.file)) return;
    drafts.delete(key);
    parts.name.value = '';
    open(last ?? count);
  }

  function showFiles() {
    parts.file.replaceChildren(element('option', {value: ''}, 'a new file'), ...desk.files.map(path => element('option', {}, path)));
    parts.file.value = desk.file ? desk.file.path : '';
    parts.path.hidden = Boolean(desk.file);
    const levels = desk.file ? desk.file.levels : [];
    parts.level.replaceChildren(...levels.map(({name}, i) => element('option', {value: i}, levels.length > 1 ? `${i + 1} ${name}` : name)),
      element('option', {value: ''}, 'a new level'));
    parts.level.value = place ?? '';
  }

  document.addEventListener('part', () => { if (answer) drawRank(); }); // else the answer to come does
  document.addEventListener('changed', async ({detail}) => {
    if (!parts.main) return;
    if (detail === 'file') showFiles();
    else if (detail === 'game') start();
    else refresh();
  });

  // Opens the first file that the game reads.
  async function start() {
    nextRound('level'); // what is asked is of another game
    for (const path of desk.files) {
      if (await openFile(path, desk.files.length > 1)) return open(0);
    }
    say('');
    [desk.file, answer] = [null, null];
    showFiles();
    open(undefined);
  }

  function make() {
    const part = (name, made) => parts[name] = made;
    const over = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    over.setAttribute('class', 'over');
    over.innerHTML = '<g class="letters"></g><g class="map"></g><path class="lines"></path><rect class="here" rx="4" hidden></rect>';
    part('board', element('div', {class: 'board', tabindex: 0, role: 'application',
      'aria-label': 'The board. Arrow keys go to a square, Enter draws the chosen tile, a tile\'s own key draws it, '
        + 'Shift with an arrow draws with a pen at that side of the square.', onkeydown: onKey,
      onpointerdown: onPointer, onpointermove: onPointer}, part('picture', element('div')), part('over', over)));
    const commands = [...tools, ...drawing.tools].map(([sign, title, act]) => button(sign, act, {title, class: 'tool'}));
    [parts.undo, parts.redo] = commands;
    part('file', element('select', {'aria-label': 'File', onchange: async () => {
      if (parts.file.value && await openFile(parts.file.value)) return open(0);
      desk.file = null;
      tell('file');
      open(undefined);
    }}));
    part('level', element('select', {'aria-label': 'Level', onchange: () => open(parts.level.value === '' ? undefined : Number(parts.level.value))}));
    return part('main', element('div', {class: 'two'},
      element('div', {},
        element('section', {class: 'card'}, part('title', heading('')),
          element('div', {class: 'row'}, parts.file, part('path', element('input', {'aria-label': 'Name of the new file', value: 'levels.txt'})),
            parts.level, part('name', element('input', {'aria-label': 'Name of the new level', placeholder: 'its name', hidden: true})), part('save', button('Save', save, {class: 'main'}))),
          parts.board, part('note', element('p', {class: 'dim'})), part('where', element('p', {class: 'dim', 'aria-live': 'polite'})),
          element('div', {class: 'row tools'}, ...commands),
          palette.make()),
        ...drawing.below.flatMap(made => made()),
        card('Text', element('div', {class: 'text'}, part('text', element('textarea', {rows: 12, spellcheck: 'false', 'aria-label': 'The level as text',
          oninput: () => change(parts.text.value, null), onscroll: () => showFault(null)})), part('line', element('i', {hidden: true}))),
          part('fault', element('p', {class: 'fault', role: 'status'})))),
      part('side', element('div', {},
        card('Rating', element('div', {class: 'rating'}, part('rating', element('strong', {id: 'rating'}, '–')),
          element('span', {}, part('interval', element('span')), element('br'), part('rank', element('span', {class: 'dim', id: 'rank'})))),
          part('busy', element('div', {class: 'row', hidden: true, id: 'busy'}, part('seconds', element('span', {role: 'status'})), button('Stop', stopSolving))),
          part('scale', element('div', {class: 'scale', hidden: true}, part('range', element('em')), part('mark', element('i'))))),
        card('Why', element('table', {class: 'why'}, part('why', element('tbody')))),
        ...drawing.cards.flatMap(made => made())))));
  }

  Object.defineProperties(drawing, {text: {get: () => text}, answer: {get: () => answer}, here: {get: () => here},
    map: {get: () => parts.over.querySelector('.map')}});
  Object.assign(drawing, {change: next => change(next), put: putAll});
  addEventListener('beforeunload', event => { if (drafts.size) event.preventDefault(); });

  // #level/PATH/NUMBER opens a level of a file, from 1 on.
  views.level = {title: 'Level', make, async enter(detail) {
    const [path, number] = detail.split('/').map(decodeURIComponent);
    if (number && (desk.file?.path === path || await openFile(path))) open(number - 1);
    else if (!key) await start();
    else if (place !== undefined && desk.file?.levels[place]?.text !== saved) await (desk.file ? open(0) : start());
    showFiles();
    if (desk.rule) loadSet();
  }};
}
