// What a finger or the mouse does on the board, drawn at once from what the game declares (`hand` of a position): a car slides, a
// path grows, a block is carried, a rectangle is spanned, cells are filled. The picture of the server's answer replaces it.
'use strict';

let model = {};     // a copy of view.hand in which all unanswered acts are made, with the cursor's square
let gesture = null; // that goes on: its trail, the points of the finger, and its drag

const svg = () => byId('board').querySelector('svg');
const squareOf = (x, y) => `${x},${y}`;
const numbers = square => square.split(',').map(Number);

// A shape in the picture, in front of it unless `parent` is given.
function shape(name, attributes, parent = svg()) {
  const made = document.createElementNS(parent.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

// A point in the units of the picture, by its place in squares: 1, 1 is the middle of the first one.
const units = (x, y) => [view.squares[0] + (x - 0.5) * view.squares[2], view.squares[1] + (y - 0.5) * view.squares[3]];

// Moves a thing of the picture by a number of squares.
function shift(name, x, y) {
  svg().querySelector(`[data-thing="${name}"]`)?.setAttribute('transform', `translate(${x * view.squares[2]} ${y * view.squares[3]})`);
}

// The board's size in squares.
function size() {
  const box = svg().viewBox.baseVal, [left, top, width, height] = view.squares;
  return [(box.width - 2 * left) / width, (box.height - 2 * top) / height].map(Math.round);
}

function moveCursor(square) {
  model.cursor = square;
  const [x, y] = numbers(square);
  for (const frame of svg().querySelectorAll('.cursor, .cursor-edge')) {
    frame.setAttribute('x', view.squares[0] + (x - 1) * view.squares[2]);
    frame.setAttribute('y', view.squares[1] + (y - 1) * view.squares[3]);
  }
}

// How many squares a thing can slide in a direction, 1 or -1 across (axis 0) or down (axis 1).
function room(thing, axis, sign) {
  const taken = new Set([...model.solid, ...model.things.flatMap(other => other === thing ? [] : other.squares)]);
  for (let count = 1; ; count++) {
    const isFree = thing.squares.every(square => {
      const place = numbers(square);
      place[axis] += sign * count;
      return place[axis] >= 1 && place[axis] <= (axis ? model.height : model.width) && !taken.has(String(place));
    });
    if (!isFree) return count - 1;
  }
}

function drawPaths() {
  model.paths.forEach((path, i) => {
    const places = (path.length ? path : model.ends[i].slice(0, 1)).map(square => units(...numbers(square)).join(' '));
    svg().querySelector(`[data-thing="path${i + 1}"] path`).setAttribute('d', 'M' + places.join('L'));
  });
}

// Replaces a path; the others end before its squares.
function setPath(colour, path) {
  model.paths = model.paths.map((other, i) => {
    const cut = other.findIndex(square => path.includes(square));
    return i === colour ? path : cut < 0 ? other : other.slice(0, cut);
  });
}

const joins = colour => model.ends[colour].every(square => model.paths[colour].includes(square));

// Leads a path on to a square beside its end, or back by one; false if it cannot go there.
function leadOn(colour, square) {
  const path = model.paths[colour];
  if (path.at(-2) === square) setPath(colour, path.slice(0, -1));
  else if (path.includes(square) || joins(colour) || model.ends.some((ends, i) => i !== colour && ends.includes(square))) return false;
  else setPath(colour, [...path, square]);
  return true;
}

// Fills a cell, or clears it. What is drawn on edges that go down is turned.
function fill(square, key) {
  const [x, y] = numbers(square), button = view.pad.find(row => row.key === key), side = view.squares[2];
  const [middle, centre] = units(x, y), edge = button ? button.width / 2 : 0;
  if (square in model.cells) {
    shape('rect', {class: 'fill ink-ground', x: middle - side / 2 + 1, y: centre - side / 2 + 1, width: side - 2, height: side - 2});
  }
  if (key === 'space') delete model.cells[square];
  else model.cells[square] = key;
  const turn = model.near && y % 2 === 0 ? ` rotate(90 ${edge} ${edge})` : '';
  if (button) shape('g', {transform: `translate(${middle - edge} ${centre - edge})${turn}`}).insertAdjacentHTML('beforeend', button.content);
}

// The open cell that is nearest to a point, if values are on edges, which are small; else the point's square.
function cellAt({square, x, y}) {
  if (!model.near || model.open.includes(square)) return square;
  const far = other => Math.hypot(...numbers(other).map((number, i) => number - [x, y][i]));
  const best = model.open.reduce((one, other) => far(other) < far(one) ? other : one, model.open[0]);
  return best && far(best) < 0.8 ? best : square;
}

// The kinds of hands. Each begins a drag at a point {square, x, y, time}, or returns undefined where nothing can be dragged. A drag
// draws itself when the finger moves, and ends with the inputs that it sends: squares and keys, with times; or with none.
const hands = {
  slide(at) {
    const thing = model.things.find(({squares}) => squares.includes(at.square));
    if (!thing) return undefined;
    const before = thing.moved || [0, 0];
    let by = [0, 0];
    const place = () => shift(thing.name, before[0] + by[0], before[1] + by[1]);
    return {
      move(to) {
        const way = [to.x - at.x, to.y - at.y];
        const axis = thing.down && (!thing.across || Math.abs(way[1]) > Math.abs(way[0])) ? 1 : 0;
        by = [0, 0];
        by[axis] = Math.max(-room(thing, axis, -1), Math.min(way[axis], room(thing, axis, 1)));
        place();
      },
      end(to) {
        by = by.map(Math.round);
        place();
        if (!by.some(Boolean)) return [];
        const moved = square => String(numbers(square).map((number, i) => number + by[i]));
        thing.moved = before.map((number, i) => number + by[i]);
        thing.squares = thing.squares.map(moved);
        moveCursor(moved(at.square));
        return ['drop', at.square, model.key, {input: model.cursor, time: to.time}, 'drop'];
      },
    };
  },

  path(at) {
    const end = model.ends.findIndex(ends => ends.includes(at.square)), on = model.paths.findIndex(path => path.includes(at.square));
    const colour = end < 0 ? on : end;
    if (colour < 0) return undefined;
    const inputs = ['drop', at.square, model.key];
    let isDone = false, here = numbers(at.square);
    setPath(colour, end < 0 ? model.paths[on].slice(0, model.paths[on].indexOf(at.square) + 1) : [at.square]);
    drawPaths();
    return {
      move(to) {
        const goal = numbers(to.square);
        for (let isLed = true; isLed && !isDone;) {
          const way = goal.map((number, i) => number - here[i]), first = Math.abs(way[1]) > Math.abs(way[0]) ? 1 : 0;
          isLed = [first, 1 - first].some(axis => {
            const next = here.map((number, i) => number + (i === axis ? Math.sign(way[i]) : 0));
            if (!way[axis] || !leadOn(colour, String(next))) return false;
            here = next;
            inputs.push({input: String(next), time: to.time});
            return true;
          });
          isDone = model.paths[colour].length > 1 && joins(colour);
        }
        moveCursor(String(here));
        drawPaths();
      },
      end: () => inputs.length > 3 ? [...inputs, 'drop'] : [],
    };
  },

  carry(at) {
    const thing = model.things.find(({x, y}) => Math.abs(x - at.x) < 0.5 && Math.abs(y - at.y) < 0.5);
    if (!thing) return undefined;
    const {x, y} = thing, before = thing.moved || [0, 0], isFree = square => model.free.includes(square);
    return {
      move: to => shift(thing.name, before[0] + to.x - at.x, before[1] + to.y - at.y),
      end(to) {
        const from = squareOf(x, y), isOn = isFree(to.square) && to.x > 0.5 && to.y > 0.5;
        const isTaken = model.things.some(other => other !== thing && squareOf(other.x, other.y) === to.square);
        if (isOn && isTaken || isOn && to.square === from || !isOn && !isFree(from)) {
          shift(thing.name, ...before);
          return [];
        }
        [thing.x, thing.y] = isOn ? numbers(to.square) : [to.x, to.y];
        thing.moved = [before[0] + thing.x - x, before[1] + thing.y - y];
        shift(thing.name, ...thing.moved);
        return [...isFree(from) ? [from, thing.key] : [], ...isOn ? [{input: to.square, time: to.time}, thing.key] : []];
      },
    };
  },

  rectangle(at) {
    if (model.taken.includes(at.square)) return undefined;
    const frame = shape('rect', {class: 'spanned'}), from = numbers(at.square);
    let last = at;
    return {
      move(to) {
        last = to;
        const places = [from, numbers(to.square)], low = [0, 1].map(i => Math.min(places[0][i], places[1][i]));
        const [left, top] = units(...low.map(number => number - 0.4)), far = [0, 1].map(i => Math.max(places[0][i], places[1][i]));
        for (const [name, value] of Object.entries({x: left, y: top, width: (far[0] - low[0] + 0.8) * view.squares[2],
          height: (far[1] - low[1] + 0.8) * view.squares[3]})) frame.setAttribute(name, value);
        moveCursor(to.square);
      },
      end: () => last.square === at.square ? []
        : [...view.holds ? [] : [at.square, model.key], {input: last.square, time: last.time}, 'drop'],
    };
  },

  cells(at) {
    if (!model.cycles || !model.near && !model.open.includes(at.square)) return undefined;
    const done = [], inputs = [];
    let key = null, last = at;
    const take = (square, time) => {
      if (done.includes(square) || !model.open.includes(square)) return;
      key ??= model.keys[model.keys.indexOf(model.cells[square]) + 1] || 'space';
      done.push(square);
      inputs.push(done.length > 1 ? {input: square, time} : square, key);
      fill(square, key);
      moveCursor(square);
    };
    take(at.square);
    return {
      move(to) { // a quick finger leaves squares out, which lie on its way
        const count = Math.ceil(2 * Math.max(Math.abs(to.x - last.x), Math.abs(to.y - last.y)));
        for (let i = 1; i <= count; i++) {
          take(String([last.x + (to.x - last.x) * i / count, last.y + (to.y - last.y) * i / count].map(Math.round)), to.time);
        }
        last = to;
      },
      end(to) {
        if (!done.length) take(cellAt(to));
        return inputs;
      },
    };
  },

  // Where a game declares no more than a cursor, it goes along, with what the game's key `click` takes up, and leaves a line.
  cursor(at) {
    const inputs = [at.square, ...view.click ? [view.click] : []], line = shape('polyline', {class: 'spanned'});
    const points = [units(...numbers(at.square))];
    let last = at.square;
    return {
      move(to) {
        if (to.square === last) return;
        inputs.push({input: to.square, time: to.time});
        points.push(units(...numbers(to.square)));
        line.setAttribute('points', points.join(' '));
        moveCursor(last = to.square);
      },
      end: () => last === at.square || !view.click ? [] : [...inputs, 'drop'],
    };
  },
};

// Begins the drag of a trail and makes its moves; with `ends`, its end, too, whose inputs are returned. A tap sends the square and
// the key of the hand.
function follow(trail, ends) {
  const at = trail[0], kind = model.kind || 'cursor', drag = hands[kind](at);
  moveCursor(at.square);
  trail.slice(1).forEach(to => drag?.move(to));
  if (!ends) return drag;
  const inputs = drag ? drag.end(trail.at(-1)) : [];
  if (inputs.length) return inputs;
  const isTap = trail.every(({square}) => square === at.square), key = model.kind ? model.key : view.click;
  return isTap ? [at.square, ...key ? [key] : []] : [];
}

// Inputs as the value of an act: each that has a time has the ms since the one before behind it.
function valueOf(inputs, begin) {
  let before = begin;
  return inputs.map(one => {
    if (typeof one === 'string') return one;
    const since = Math.round(one.time - before);
    before = one.time;
    return `${one.input}+${since}`;
  }).join(' ');
}

// Makes on a new picture what is not answered, and the gesture that goes on.
function redrawHand() {
  model = structuredClone(view.hand || {});
  model.cursor = view.cursor && squareOf(...view.cursor);
  for (const {redraw} of unanswered) redraw?.();
  if (gesture && view.has_cursor) gesture.drag = follow(gesture.trail, false);
}

// The point of an event: its square, from 1, 1 on, and its place in squares.
function pointOf(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg().getScreenCTM().inverse());
  const [left, top, width, height] = view.squares, [x, y] = [(point.x - left) / width + 0.5, (point.y - top) / height + 0.5];
  const square = String([x, y].map((number, i) => Math.max(1, Math.min(Math.round(number), size()[i]))));
  return {square, x, y, left: event.clientX, top: event.clientY, time: event.timeStamp};
}

const swipe = 24; // px from which on a finger swipes

function onPointer(event) {
  if (view.stage !== 'play') return;
  if (event.type === 'pointerdown' && event.button === 0 && event.isPrimary) {
    event.currentTarget.setPointerCapture(event.pointerId);
    gesture = {trail: [pointOf(event)]};
    if (view.has_cursor) gesture.drag = follow(gesture.trail, false);
  } else if (!gesture || !event.isPrimary) {
    return;
  } else if (event.type === 'pointermove') {
    gesture.trail.push(pointOf(event));
    if (view.has_cursor) gesture.drag?.move(gesture.trail.at(-1));
  } else {
    const {trail} = gesture, first = trail[0], last = pointOf(event), x = last.left - first.left, y = last.top - first.top;
    gesture = null;
    if (event.type === 'pointercancel') return drawBoard();
    drawBoard(); // without the gesture, which the act draws
    if (view.has_cursor) {
      const inputs = follow([...trail, last], true);
      if (inputs.length) act('gesture', valueOf(inputs, first.time), () => follow([...trail, last], true));
    } else if (Math.max(Math.abs(x), Math.abs(y)) >= swipe) {
      press(Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : (y > 0 ? 'down' : 'up'));
    } else if (view.tap) {
      press(view.tap);
    }
  }
}

const ways = {up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0]};

// Draws at once what a key does: arrows move the cursor if it holds nothing, values fill its cell.
function redrawKey(key) {
  if (!model.cursor || view.holds) return;
  if (ways[key]) {
    const place = numbers(model.cursor).map((number, i) => number + ways[key][i]), most = size();
    if (place.every((number, i) => number >= 1 && number <= most[i])) moveCursor(String(place));
  } else if (model.kind === 'cells' && !model.pencils && model.open.includes(model.cursor)
    && (model.keys.includes(key) || key === 'space')) {
    fill(model.cursor, key);
  }
}

function pressOnBoard(key) {
  redrawKey(key);
  act('key', key, () => redrawKey(key));
}
