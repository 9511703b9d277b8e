// The pages around the levels: consent, questions, the end, and what is kept.
'use strict';

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
function showQuestion(isNew) {
  const outcome = element('h2', {tabindex: '-1'}, text(view.outcome));
  show(element('div', {}, element('div', {id: 'board', class: isNew && view.outcome === 'Solved' && 'solved'})), outcome,
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
  const code = view.completion, isLink = /^https?:/.test(code);
  show(element('h2', {}, text('thanks')), element('p', {}, text(view.left ? 'left' : 'done')),
    code ? element('p', {id: 'completion'}, isLink ? element('a', {href: code}, text('goBack')) : text('code', {code})) : null,
    view.left ? button(text('goOn'), start, {class: 'main'}) : null,
    table([text('level'), text('yours'), text('others'), text('solvedBy')], view.levels.map((level, i) => [String(i + 1),
      rounded(level.rating, 0), rounded(level.others, 1), level.solved_by === null ? '–' : rounded(100 * level.solved_by, 0) + ' %'])));
}

// The parameters of the link, of which the server keeps those that the study names.
const fromLink = () => Object.fromEntries([...new URLSearchParams(location.search)].map(([name, value]) => ['link_' + name, value]));

function showWelcome() {
  const agrees = element('input', {type: 'checkbox', name: 'consent', value: 'yes', required: true});
  const fields = view.items.map(itemField);
  const knows = element('input', {type: 'checkbox', name: 'knows_game', value: 'yes'});
  const form = element('form', {onsubmit: async event => {
    event.preventDefault();
    const {status, value} = await send('/begin', {consent: 'yes', ...fromLink(), ...Object.fromEntries(new FormData(form))});
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
