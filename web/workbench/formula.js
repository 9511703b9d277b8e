// The view Formula: a formula typed and fitted, a slider for each number, errors and ranks that follow, and rules compared.
'use strict';

{
  // A variant is {formula, fit, weights} or, of a rule as its script stands, {rule}; with isOrder it is fitted to the order of the
  // set. Its `answer` is that of the message `fit`, `values` are those of the sliders, in the order of the terms.
  const variants = [], most = 4;
  let current = null;
  let names = null;                  // what a formula can name: the answer to the message `names`
  let isResidual = false;            // the chart shows residuals
  let ratings = [], verdict = null;  // of the current variant
  let isPictured = false;            // the chart shows the pictures of the levels
  const pictures = new Map();        // those in the chart, by row
  let selected = null;               // the row of the level whose picture is shown
  let saved = null;                  // the path of the rule that was saved last
  const parts = {};

  const isMoved = variant => variant.answer.terms.some((term, j) => term.estimate !== variant.values[j]);
  const valuesOf = variant => Object.fromEntries(variant.answer.terms.map((term, j) => [term.term, variant.values[j]]));

  function question({formula, fit, weights, rule, isOrder}) {
    return {variant: rule ? {rule} : {formula, fit: fit || undefined, weights: weights || undefined}, paths: setPaths(),
      order: isOrder ? levelSet.order : undefined};
  }

  async function fit(variant = current) {
    const set = variant.isOrder && await loadSet();
    if (variant.isOrder && (!set || hasFault(set))) return;
    const found = await ask('fit', {...question(variant), as_is: Boolean(variant.rule) && !variant.isTuned}, 'formula');
    if (!found) return;
    variant.fault = found.fault?.message || '';
    if (!found.fault) {
      variant.answer = found;
      variant.values = found.terms.map(term => term.estimate);
      if (variant.rule && found.text) variant.formula = found.text;
      selected = null;
    }
    if (variant === current) draw();
  }

  // Another formula, fit or weights: of a rule, too, it is then fitted anew.
  function change(changes) {
    say('');
    Object.assign(current, {rule: undefined, isTuned: false}, changes);
    return fit();
  }

  function fitToData(isOrder) {
    current.isOrder = isOrder;
    if (!current.rule) return fit();
    if (current.answer?.text) return change({});
    current.isTuned = true;
    return fit();
  }

  // A step of a slider.
  async function step() {
    const {answer} = current;
    if (!answer.is_sum) {
      const found = await ask('ratings', {...question(current), values: valuesOf(current)}, 'formula');
      if (!found || found.fault) return;
      ratings = found.ratings;
    } else {
      ratings = ratingsOf(answer, current.values);
    }
    follow();
  }

  function follow() {
    const {answer} = current, {targets} = answer;
    verdict = judge(ratings, targets, answer.weights);
    const [, y] = pointOf();
    parts.chart.draw('dots', dots(parts.chart, targets.map((_, i) => [xOf(i), y(i)])));
    pictures.forEach((picture, row) => {
      picture.setAttribute('transform', `translate(${parts.chart.x(xOf(row)) - side / 2} ${parts.chart.y(y(row)) - side / 2})`);
    });
    if (selected !== null) showLevel(selected);
    for (const [name, place] of Object.entries(parts.errors)) place.textContent = number(verdict[name], 4);
    drawRanks();
  }

  const side = 34; // of a picture in the chart, in its units

  const pictureOf = row => levelSet.part?.levels.find(level => level.name === current.answer.levels[row] && level.picture);

  function drawPictures() {
    pictures.clear();
    current.answer.levels.forEach((_, row) => {
      const known = isPictured && pictureOf(row);
      if (!known) return;
      const picture = showPicture(element('div'), known);
      for (const [name, value] of Object.entries({width: side, height: side, 'aria-hidden': true})) picture.setAttribute(name, value);
      pictures.set(row, svgElement('g', {}, picture));
    });
    parts.pictures.replaceChildren(...pictures.values());
  }

  const xOf = i => isResidual ? ratings[i] : current.answer.targets[i];
  const pointOf = () => [xOf, i => isResidual ? current.answer.targets[i] - ratings[i] : ratings[i]];

  function drawRanks() {
    const {answer} = current, ranks = answer.ranks ||= ranksOf(answer.targets);
    const furthest = sortedRows(ranks.length, (a, b) => Math.abs(verdict.ranks[b] - ranks[b]) - Math.abs(verdict.ranks[a] - ranks[a])).slice(0, 8);
    const rows = parts.ranks.children;
    for (let i = 0; i < rows.length; i++) {
      const row = furthest[i], cells = rows[i].children;
      rows[i].hidden = row === undefined;
      if (row === undefined) continue;
      rows[i].dataset.row = row;
      cells[0].textContent = answer.levels[row];
      cells[1].textContent = number(ranks[row], 4);
      cells[2].textContent = number(verdict.ranks[row], 4);
    }
  }

  // The chart anew, for the numbers of a fit.
  function drawChart() {
    const {answer} = current, [x, y] = pointOf(), rows = [...answer.targets.keys()];
    const all = isResidual ? endsOf([...rows.map(y), 0]) : endsOf([...answer.targets, ...ratings]), share = 0.04 * (all[1] - all[0]);
    const wide = [all[0] - share, all[1] + share];
    parts.chart.resize(isResidual ? endsOf(rows.map(x)) : wide, wide,
      isResidual ? ['predicted', `${answer.target} − predicted`] : [answer.target, 'predicted']);
    parts.chart.draw('line', line(parts.chart, isResidual ? endsOf(rows.map(x)).map(one => [one, 0]) : wide.map(one => [one, one])));
    parts.chart.element.classList.toggle('many', rows.length > 300);
    drawPictures();
    parts.chart.mark();
  }

  function showLevel(row) {
    selected = row;
    const {answer} = current, name = answer.levels[row], [x, y] = pointOf();
    parts.chart.mark(x(row), y(row));
    const known = pictureOf(row);
    if (parts.level.dataset.name !== name) {
      parts.level.dataset.name = name;
      if (known) showPicture(parts.level, known);
      else parts.level.replaceChildren();
    }
    parts.told.textContent = `${name}: ${answer.target} ${number(answer.targets[row], 4)}, predicted ${number(ratings[row], 4)}, `
      + `rank ${number(verdict.ranks[row], 4)} of ${ratings.length}`;
  }

  function onPoint(event) {
    if (!current?.answer) return;
    const at = parts.chart.at(event), [x, y] = pointOf();
    let best = null, least = 20 ** 2; // units of the drawing
    ratings.forEach((_, i) => {
      const far = (parts.chart.x(x(i)) - parts.chart.x(at[0])) ** 2 + (parts.chart.y(y(i)) - parts.chart.y(at[1])) ** 2;
      if (far < least) [best, least] = [i, far];
    });
    if (best !== null) showLevel(best);
  }

  // The arrow keys go through the levels from left to right.
  function onChartKey(event) {
    const way = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!way || !current?.answer) return;
    event.preventDefault();
    const rows = sortedRows(ratings.length, (a, b) => xOf(a) - xOf(b)), at = selected === null ? -way : rows.indexOf(selected);
    showLevel(rows[Math.max(0, Math.min(rows.length - 1, selected === null ? (way > 0 ? 0 : rows.length - 1) : at + way))]);
  }

  function sliderOf({term, estimate, std_error, least, greatest}, j) {
    const reach = Math.max(3 * Math.abs(estimate), 4 * (std_error || 0)) || 1;
    const low = least ?? estimate - reach, high = greatest ?? estimate + reach;
    const set = value => {
      current.values[j] = value;
      step();
    };
    const exact = element('input', {type: 'number', step: 'any', value: number(estimate, 6), 'aria-label': `${term}, its number`, onchange: () => {
      slider.value = exact.value;
      set(Number(exact.value));
    }});
    const slider = element('input', {type: 'range', min: low, max: high, step: (high - low) / 1000, value: estimate, 'aria-label': term, oninput: () => {
      exact.value = number(Number(slider.value), 6);
      set(Number(slider.value));
    }});
    return element('div', {class: 'slider'}, element('span', {title: std_error ? `standard error ${number(std_error)}` : null}, term), slider, exact);
  }

  function draw() {
    parts.tabs.replaceChildren(variants.length > 1 ? 'Variants' : 'Variant', ...variants.map((variant, i) => button('ABCD'[i], () => show(variant), {'aria-pressed': String(variant === current),
      title: variant.formula || variant.rule})),
      ...variants.length < most ? [button('+', () => add({...current, answer: null}), {title: 'One more variant'})] : [],
      ...variants.length > 1 ? [button('−', remove, {title: 'Without this variant'})] : []);
    const {answer, rule} = current, isFunction = Boolean(rule) && names.is_function;
    if (document.activeElement !== parts.formula) parts.formula.value = isFunction ? `the function of ${rule}` : current.formula || '';
    parts.formula.readOnly = isFunction;
    parts.fit.value = current.fit || '';
    parts.weights.value = current.weights || '';
    parts.fault.textContent = current.fault || '';
    parts.source.textContent = current.isOrder ? 'Fitted to the order of the set.' : rule && !current.isTuned ? 'With the numbers of the script.' : '';
    parts.right.hidden = parts.shown.hidden = !answer;
    for (const one of [parts.right, parts.shown]) one.classList.toggle('old', Boolean(current.fault));
    if (!answer) return;
    parts.sliders.replaceChildren(...answer.terms.map(sliderOf));
    parts.notes.replaceChildren(...answer.notes.map(note => element('p', {class: 'dim'}, note)));
    ratings = answer.ratings;
    drawChart();
    follow();
  }

  function show(variant) {
    current = variant;
    selected = null;
    if (variant.answer || variant.fault) draw();
    else fit();
  }

  function add(variant) {
    variants.push(variant);
    show(variant);
  }

  function remove() {
    variants.splice(variants.indexOf(current), 1);
    show(variants[0]);
  }

  // What begins, or else holds, the word before the cursor; a button completes it.
  function offer() {
    const {value, selectionStart} = parts.formula, word = /[A-Za-z_.][\w.]*$/.exec(value.slice(0, selectionStart))?.[0] || '';
    const rows = [...names.measures.map(({name, doc}) => [name, doc]), ...names.columns.map(name => [name, 'a column of the data']),
      ...names.functions.map(({usage, doc}) => [usage, doc])];
    const lower = word.toLowerCase(), seen = new Set();
    const rank = ([name]) => word && name.toLowerCase().startsWith(lower) ? 0 : word && name.toLowerCase().includes(lower) ? 1 : 2;
    const offered = rows.filter(row => rank(row) < 2 && row[0] !== word && !seen.has(row[0]) && seen.add(row[0]))
      .sort((a, b) => rank(a) - rank(b)).slice(0, 8);
    parts.offers.replaceChildren(...offered.map(([name, doc]) => button(name, () => {
      const plain = name.replace(/\(.*/, '('), whole = /^[\w.(]+$/.test(plain) ? plain : '`' + plain + '`';
      parts.formula.setRangeText(whole, selectionStart - word.length, selectionStart, 'end');
      parts.formula.focus();
      onType();
    }, {title: doc})));
  }

  function onType() {
    offer();
    change({formula: parts.formula.value});
  }

  async function compare() {
    const alike = variants.filter(variant => Boolean(variant.isOrder) === Boolean(current.isOrder));
    const {order, paths} = question(current);
    sayMeanwhile('Comparing ...');
    const found = await ask('compare', {variants: alike.map(variant => question(variant).variant), order, paths}, 'compare');
    if (!found || hasFault(found)) return;
    const keys = [...new Set([...found.columns.filter(key => ['rule', 'may_be_best'].includes(key)), ...found.columns])]; // the answer first: the table may be wider than its place
    parts.compared.replaceChildren(element('tr', {}, ...keys.map(key => element('th', {}, key.replaceAll('_', ' ')))),
      ...found.rows.map(row => element('tr', {}, ...keys.map(key => element('td', {}, typeof row[key] === 'number' ? number(row[key], 4) : row[key] ?? '')))));
    parts.comparison.replaceChildren(...found.notes.map(note => element('p', {class: 'dim'}, note)));
  }

  async function save() {
    const path = parts.path.value, version = await versionToReplace(path);
    if (version === null) return;
    const found = await ask('rule', {...question(current), path, version,
      values: isMoved(current) || current.rule ? valuesOf(current) : undefined});
    if (hasFault(found)) return;
    saved = path;
    use('rule', path);
    say(`Saved as ${path}, which rates now.`);
  }

  async function start() {
    names = await ask('names');
    if (hasFault(names)) return;
    for (const [select, label, list, none] of [[parts.fit, 'fit', names.fits, 'the usual fit'], [parts.weights, 'weights', names.columns, 'no weights']]) {
      select.replaceChildren(element('option', {value: ''}, none), ...list.map(name => element('option', {value: name}, `${label}: ${name}`)));
    }
    variants.length = 0;
    parts.code.hidden = !names.is_function;
    if (names.is_function) {
      const script = await ask('script', {path: desk.rule, of: 'rule'});
      parts.lua.textContent = script.text || '';
    }
    add(desk.rule ? {rule: desk.rule, weights: names.weights, fit: names.fit} : {formula: names.formula, weights: names.weights});
    if (desk.game) loadSet(); // pictures of the levels
  }

  function makeView() {
    const part = (name, made) => parts[name] = made;
    parts.chart = chart('Predicted against rated. The arrow keys go from level to level.');
    parts.chart.element.addEventListener('pointermove', onPoint);
    parts.chart.element.addEventListener('pointerdown', onPoint);
    parts.chart.element.addEventListener('keydown', onChartKey);
    parts.pictures = parts.chart.element.appendChild(svgElement('g'));
    const toggle = (label, change) => {
      const made = button(label, () => {
        made.setAttribute('aria-pressed', change());
        drawChart();
        follow();
      }, {'aria-pressed': 'false'});
      return made;
    };
    parts.errors = {};
    const error = (name, label) => element('tr', {}, element('td', {}, label), parts.errors[name] = element('td'));
    const select = (name, label, key) => part(name, element('select', {'aria-label': label, onchange: () => change({[key]: parts[name].value})}));
    return element('div', {class: 'two'},
      element('div', {},
        card('Formula', part('tabs', element('div', {class: 'row', role: 'group', 'aria-label': 'Variants'})),
          part('formula', element('input', {class: 'formula', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'The formula', oninput: onType})),
          part('offers', element('div', {class: 'row offers', role: 'group', 'aria-label': 'Names to complete'})),
          part('fault', element('p', {class: 'fault', role: 'status'})), part('source', element('p', {class: 'dim'})),
          element('div', {class: 'row'}, select('fit', 'Fit', 'fit'), select('weights', 'Weights', 'weights'),
            button('Fit to the data', () => fitToData(false)), button('Fit to my order', () => fitToData(true)))),
        part('shown', element('section', {class: 'card', hidden: true}, heading('Predicted against rated'), parts.chart.element,
          element('div', {class: 'row'}, toggle('Residuals', () => isResidual = !isResidual), toggle('Pictures', () => isPictured = !isPictured),
            part('told', element('p', {class: 'dim', 'aria-live': 'polite'}))),
          part('level', element('div', {class: 'picture'})))),
        part('code', element('section', {class: 'card', hidden: true}, heading('The function'), part('lua', element('pre'))))),
      part('right', element('div', {hidden: true},
        card('Numbers', part('sliders', element('div')), button('Back to the fit', () => fit())),
        card('Errors on these levels', element('table', {}, error('mae', 'mean absolute error'), error('weighted_mae', 'the same, weighted'),
          error('rmse', 'root of the mean square'), error('tau', 'Kendall\'s tau'))),
        card('Ranks furthest off', element('table', {}, element('thead', {}, element('tr', {}, ...['level', 'rated', 'predicted'].map(name =>
          element('th', {}, name)))), part('ranks', element('tbody', {}, ...Array.from({length: 8}, () => element('tr', {onclick: event =>
          showLevel(Number(event.currentTarget.dataset.row))}, element('td'), element('td'), element('td'))))))),
        card('On levels not seen', button('Compare the variants', compare), element('div', {class: 'scroll'}, part('compared', element('table'))),
          part('comparison', element('div'))),
        card('Save', element('div', {class: 'row'}, part('path', element('input', {'aria-label': 'File of the rule', value: 'my-rule.lua'})),
          button('Save the rule', save, {class: 'main', id: 'save-rule'}))),
        element('details', {class: 'card'}, element('summary', {}, 'The fit in numbers'), part('notes', element('div'))))));
  }

  let isOld = true; // what is open has changed since the view was shown

  document.addEventListener('part', () => {
    if (shownView !== views.formula || !isPictured || !current?.answer) return;
    drawChart();
    follow();
  });

  // Another game or rule begins anew; scripts that were saved elsewhere are fitted again.
  document.addEventListener('changed', ({detail}) => {
    if (detail === 'file' || detail === 'rule' && desk.rule === saved) return;
    if (detail === 'script' && names) {
      for (const variant of variants) variant.answer = null;
      if (shownView === views.formula && current) fit();
      return;
    }
    isOld = true;
    if (shownView === views.formula) views.formula.enter();
  });

  views.formula = {title: 'Formula', make: makeView, async enter() {
    if (isOld) await start();
    else if (current?.isOrder) fit(); // the order may be another one
    isOld = false;
  }};
}
