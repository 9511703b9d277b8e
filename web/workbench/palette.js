// What is drawn in the view Level: a tile on a square, or by a pen, which the game declares for what is no square.
'use strict';

const palette = {tile: null, pen: null}; // what is chosen: the text of a square, or a pen {sign, doc, at_once}

{
  const mostNamed = 12; // tiles of a palette that says what they stand for
  let shown, box; // the tiles and pens, as text

  function choose(tile, pen = null) {
    [palette.tile, palette.pen] = [tile, pen];
    for (const made of box.children) made.setAttribute('aria-pressed', made.dataset.tile === (pen ? pen.sign : tile));
  }

  // Makes the text of the level the one with what a pen draws at a place, if it was not changed meanwhile.
  palette.draw = async ({sign}, x, y) => {
    const {text} = drawing, found = await ask('draw', {text, pen: sign, x, y}, 'draw');
    if (found && text === drawing.text && !hasFault(found)) drawing.change(found.text);
  };

  const tool = (label, sign, title, deed) => button(label, deed, {class: 'tool', 'data-tile': sign, title});

  // Shows the buttons for what an answer of the engine has on its palette.
  palette.show = ({palette: tiles = [], pens: all = [], words}) => {
    const pens = all.filter(({sign}) => sign !== 'turn'); // which has a button above
    const now = JSON.stringify([tiles, pens]);
    if (now === shown) return;
    shown = now;
    const names = tiles.length <= mostNamed ? words : {};
    box.replaceChildren(...tiles.map(one => tool(`${one === ' ' ? '␣' : one} ${names[one] || ''}`.trim(), one, `Draw '${one}'`, () => choose(one))),
      ...pens.map(pen => tool(pen.sign, pen.sign, `Draw ${pen.doc}`, () => pen.at_once ? palette.draw(pen) : choose(null, pen))));
    const pen = pens.find(({sign}) => sign === palette.pen?.sign);
    choose(pen || tiles.includes(palette.tile) ? palette.tile : tiles[1] ?? null, pen);
  };

  palette.make = () => box = element('div', {class: 'row tools', role: 'group', 'aria-label': 'Tiles'});
}
