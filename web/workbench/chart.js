// A chart: two axes around marks, as wide as its place. Marks of one kind are one path, which a thousand points redraw in a step.
'use strict';

function svgElement(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// About count numbers between two ends that are multiples of 1, 2 or 5 times a power of ten.
function ticksOf([least, greatest], count) {
  const rough = (greatest - least) / count || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(one => one * power >= rough) * power, ticks = [];
  for (let i = Math.ceil(least / step); i * step <= greatest + 1e-9 * step; i++) ticks.push(i * step);
  return ticks;
}

// {element, resize(x, y, labels), x(value), y(value), at(event) -> [x, y], draw(kind, d), mark(x, y)}: x and y of resize are the least
// and the greatest value, draw sets the path of a kind of marks, mark shows one point, or none of undefined.
function chart(label, isWhole = false) {
  const width = 560, height = 320, left = 44, right = 8, top = 8, bottom = 36; // units of the drawing
  const axes = svgElement('g', {class: 'axes'}), marks = svgElement('g'), here = svgElement('circle', {class: 'here', r: 8});
  const element = svgElement('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: 'img', 'aria-label': label},
    axes, marks, here);
  const paths = {}, made = {element, draw, mark, resize, x: null, y: null, at};
  let ends = [[0, 1], [0, 1]];
  function resize(xEnds, yEnds, [xLabel, yLabel]) {
    ends = [xEnds, yEnds].map(([least, greatest]) => least < greatest ? [least, greatest] : [least - 0.5, greatest + 0.5]);
    const [[x0, x1], [y0, y1]] = ends;
    made.x = value => left + (value - x0) / (x1 - x0) * (width - left - right);
    made.y = value => height - bottom - (value - y0) / (y1 - y0) * (height - top - bottom);
    const word = (x, y, anchor, text) => svgElement('text', {x, y, 'text-anchor': anchor}, text);
    axes.replaceChildren(
      ...ticksOf(ends[0], 8).filter(value => !isWhole || Number.isInteger(value)).map(value => word(made.x(value), height - bottom + 16, 'middle', number(value))),
      ...ticksOf(ends[1], 6).flatMap(value => [word(left - 6, made.y(value) + 4, 'end', number(value)),
        svgElement('path', {d: `M${left} ${made.y(value)}H${width - right}`})]),
      word(width - right, height - 4, 'end', xLabel), word(left + 4, top + 10, 'start', yLabel));
  }
  function draw(kind, d) {
    paths[kind] ||= marks.appendChild(svgElement('path', {class: kind}));
    paths[kind].setAttribute('d', d);
  }
  function mark(x, y) {
    here.toggleAttribute('hidden', x === undefined);
    if (x === undefined) return;
    here.setAttribute('cx', made.x(x));
    here.setAttribute('cy', made.y(y));
  }
  function at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(element.getScreenCTM().inverse());
    const [[x0, x1], [y0, y1]] = ends;
    return [x0 + (point.x - left) / (width - left - right) * (x1 - x0), y0 + (height - bottom - point.y) / (height - top - bottom) * (y1 - y0)];
  }
  mark();
  return made;
}

// The paths of dots, and of a line through points.
const dots = (shape, points) => points.map(([x, y]) => `M${shape.x(x).toFixed(1)} ${shape.y(y).toFixed(1)}h0`).join('');
const line = (shape, points) => points.map(([x, y], i) => `${i ? 'L' : 'M'}${shape.x(x).toFixed(1)} ${shape.y(y).toFixed(1)}`).join('');

const endsOf = values => [Math.min(...values), Math.max(...values)];
