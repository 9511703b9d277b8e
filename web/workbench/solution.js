// Cards of the view Level: the solution step by step.
'use strict';

{
  const parts = {};
  let count = 0, solution = null, isAsked = false;

  async function showStep() {
    const answer = await ask('step', {text: drawing.text, place: Number(parts.place.value)}, 'step');
    if (!answer || hasFault(answer)) return;
    ({count} = answer);
    parts.place.max = count;
    showPicture(parts.picture, answer);
    const place = Number(parts.place.value);
    parts.which.textContent = count === 1 && !answer.move ? (place ? 'the solution' : 'the level')
      : place ? `move ${place} of ${count}: ${answer.move}` : `the start, before ${count} moves`;
    parts.back.disabled = place === 0;
    parts.next.disabled = place >= count;
  }

  function go(by) {
    parts.place.value = Number(parts.place.value) + by;
    showStep();
  }

  function forget() {
    parts.place.value = 0;
    parts.steps.hidden = true;
    parts.open.hidden = solution?.status !== 'solved';
  }

  function open() {
    parts.open.hidden = true;
    parts.steps.hidden = false;
    showStep();
  }

  const sentence = ({status, limit, length, text}) => status === 'solved' ? `Solved${length === undefined ? '' : ` in ${length} move${length === 1 ? '' : 's'}`}. ${text || ''}`
    : status === 'unsolvable' ? 'No solution exists.' : `Not known whether there is one: the limit on ${limit} was met.`;

  drawing.cards.push(() => [card('Solution', parts.text = element('p', {id: 'solution', class: 'moves'}),
    parts.open = button('Show it step by step', open, {hidden: true}),
    parts.steps = element('div', {hidden: true}, parts.picture = element('div', {class: 'step'}), element('div', {class: 'row'},
      parts.back = button('←', () => go(-1), {'aria-label': 'One move back'}), parts.next = button('→', () => go(1), {'aria-label': 'Next move'}),
      parts.which = element('span', {role: 'status'})),
    parts.place = element('input', {type: 'range', min: 0, max: 1, value: 0, 'aria-label': 'Move of the solution', oninput: showStep})))]);

  document.addEventListener('refused', () => {
    parts.text.textContent = '';
    parts.open.hidden = parts.steps.hidden = true;
  });
  function show(found) {
    solution = found;
    parts.text.textContent = found ? sentence(found) : 'looking …';
    forget();
  }

  // A rating may come from a shorter search than that for the solution.
  document.addEventListener('rated', async () => {
    const {answer, text} = drawing, isLeft = answer.is_of_measure && answer.solution.status !== 'unsolvable';
    show(isLeft ? null : answer.solution);
    if (!isLeft) return;
    isAsked = true;
    const found = await ask('solution', {text}, 'solution');
    if (!found) return; // a later one is asked for
    isAsked = false;
    if (found.fault) parts.text.textContent = found.fault.message;
    else show(found.solution);
  });
  document.addEventListener('edited', () => {
    if (isAsked) stop('solution');
    isAsked = false;
  });
}
