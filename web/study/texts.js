// The texts of the page and of games in the player's language; `texts` has those of each language (languages/).
'use strict';

const language = navigator.languages.map(tag => tag.slice(0, 2)).find(tag => texts[tag]) || 'en';

function text(name, values = {}) {
  const found = texts[language][name];
  return typeof found === 'string' ? found.replace(/\{(\w+)\}/g, (_, key) => values[key]) : found;
}

// The texts of games in the player's language; `translations` are those of the game, in a file of their own.
const phrases = {...texts[language].phrases, ...translations[language]};

// A text of a game in the player's language: as a whole, or each of its parts that has a translation. # stands for numbers there,
// and for the name of a move.
function phrase(words) {
  const translated = (part, varying) => {
    const values = part.match(varying) || [], found = phrases[part.replace(varying, '#')];
    return found && found.replace(/#/g, () => values.shift());
  };
  const one = part => translated(part, /\d+/g) || translated(part, /(?<=^move ).+$/g);
  return one(words) || words.split(/([;:,] )/).map(part => one(part) || part).join('');
}
