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

// A field with its label for a question of the study.
function itemField(item) {
  return element('label', {}, item.label + (item.required ? ' * ' : ' '), item.choices
    ? element('select', {name: item.name, required: item.required}, element('option', {value: ''}, text('none')),
      ...item.choices.map(choice => element('option', {selected: choice === view.answer}, choice)))
    : element('input', {name: item.name, value: view.answer, maxlength: 100, required: item.required, step: 'any',
      type: item.low === null ? 'text' : 'number', min: item.low, max: item.high}));
}

// Says which of some questions must be answered.
const needed = items => items.length ? element('p', {}, text(items.some(item => item.required) ? 'starred' : 'optional')) : null;

// A form, whose content is handed over when it is sent; in a preview it may be empty.
function form(take, ...children) {
  return element('form', {novalidate: Boolean(view.preview), onsubmit: event => {
    event.preventDefault();
    take(new FormData(event.target));
  }}, ...children);
}

// A question of the study's own about a level.
function itemForm(item) {
  return form(data => act('answer', data.get(item.name).trim()), itemField(item), needed([item]),
    element('button', {class: 'main'}, text('next')));
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
  show(element('h2', {}, text('thanks')), element('p', {}, text(view.outcome)),
    code ? element('p', {id: 'completion'}, isLink ? element('a', {href: code}, text('goBack')) : text('code', {code})) : null,
    view.outcome === 'left' ? button(text('goOn'), start, {class: 'main'}) : null,
    view.levels.length === 0 ? null : table([text('level'), text('yours'), text('others'), text('solvedBy')], view.levels.map((level, i) => [String(i + 1),
      rounded(level.rating, 0), rounded(level.others, 1), level.solved_by === null ? '–' : rounded(100 * level.solved_by, 0) + ' %'])));
}

// The parameters of the link, of which the server keeps those that the study names.
const fromLink = () => Object.fromEntries([...new URLSearchParams(location.search)].map(([name, value]) => ['link_' + name, value]));

// The token by which this page begins: it begins once, also if the server answers no more and is asked again.
const fresh = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

function showWelcome() {
  const agrees = element('input', {type: 'checkbox', name: 'consent', value: 'yes', required: true});
  const fields = view.items.map(itemField);
  const knows = element('input', {type: 'checkbox', name: 'knows_game', value: 'yes'});
  show(form(async data => {
    const {status, value} = await send('/begin', {consent: 'yes', fresh, ...fromLink(), ...Object.fromEntries(data)});
    if (status !== 200) return say(text(value.problem));
    draw(value);
  }, element('p', {class: 'text'}, view.consent),
  view.consent ? element('label', {}, agrees, ' ' + text('agree')) : null,
  needed(view.items), ...fields,
  view.lessons ? element('label', {}, knows, ' ' + text('knows')) : null,
  element('button', {class: 'main'}, text('begin'))));
}

// A page of a block: its text, pictures and questions. After wrong answers it comes again.
function showPage() {
  const pictures = element('div', {class: 'row'});
  pictures.innerHTML = view.pictures.join('');
  show(view.is_again ? element('p', {role: 'alert'}, text('again')) : null, element('p', {class: 'text'}, view.text), pictures,
    form(data => act('page', String(new URLSearchParams(data))), needed(view.items), ...view.items.map(itemField),
      element('button', {class: 'main'}, text('next'))));
  byId('main').focus();
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
