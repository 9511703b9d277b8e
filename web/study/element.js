// Elements of the page, and the line that says what happens.
'use strict';

const byId = id => document.getElementById(id);

// An element with attributes, listeners (onclick: function) and children: elements or texts.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== null));
  return made;
}

const button = (label, onclick, attributes = {}) => element('button', {type: 'button', onclick, ...attributes}, label);

function say(message) { byId('status').textContent = message; }

function show(...children) { byId('main').replaceChildren(...children.filter(child => child !== null)); }

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
