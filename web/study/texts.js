// The texts of the page in all languages, and those of games in the player's language.
'use strict';

const texts = {
  en: {
    agree: 'I agree', begin: 'Begin', none: '(no answer)', optional: 'You need not answer these questions.',
    starred: 'Questions with * need an answer.', again: 'Not all answers were right. Please read this once more.',
    preview: 'Preview: nothing is kept', anew: 'Begin again', screened: 'Thank you for your interest. This study is for other players.',
    play: 'Level {position} of {count}', playOn: 'Level {position}', lesson: 'to learn the game', moves: 'Moves: {moves}', undo: 'Undo', redo: 'Redo', restart: 'Restart', skipNow: 'Skip', menu: 'More', values: 'Values',
    skip: 'Skip this level', skip_later: 'You may skip this level in {seconds} s', asText: 'The board as text',
    lost: 'Lost. Undo the move or restart.', lostBy: 'Lost ({cause}). Undo the move or restart.', holds: 'Picked up',
    Solved: 'Solved!', Skipped: 'Skipped.', next: 'Go on',
    rating: 'How hard was it?', enjoyment: 'How enjoyable was it?', ratingEnds: ['very easy', 'very hard'],
    enjoymentEnds: ['not at all', 'very'], thanks: 'Thank you!', finished: 'You have done all levels.',
    level: 'Level', yours: 'Your rating', others: 'Others\' mean', solvedBy: 'Solved by others', link: 'Your link',
    linkHint: 'By this link you come back and go on, on this device or another. Who has it plays as you.',
    kept: 'What is kept about me', keptHint: 'Your answers, and what you did in each level, with times. No address, no name of your '
      + 'browser. One cookie lets you come back.', acts: 'Moves and other acts: {acts}', player: 'You are player {player}.',
    time: 'Seconds', used: 'Moves', forget: 'Delete all of it', sure: 'Delete all that is kept about me?', forgotten: 'Deleted.',
    back: 'Back', contact: 'Contact: {contact}', line: 'No connection; trying again …', failed: 'The server had an error; trying again …',
    full: 'The server cannot save anything now; trying again …', many: 'Many people are beginning now. Please try again in a minute.',
    unknown: 'This link is not known here.', consent: 'Please agree first.', answer: 'One of the answers is not as asked for.',
    broken: 'The game has an error: this level cannot go on. What you did is kept, and you can play the other levels.',
    other: 'The level went on in another window.', board: 'The board. Arrow keys and the keys below play.',
    keys: {}, phrases: {},
    where: 'Column {column}, row {row}: {thing}', nothing: 'nothing', goBack: 'Go back to where you came from', code: 'Your code: {code}', timeLeft: 'time left {time}', identifier: 'The link is not as it should be.',
    knows: 'I know this game and need no tutorial', stop: 'Stop here',
    goOn: 'Go on playing', left: 'You may go on, now or later, by your link.',
    late: 'Your link let you play for {days} days, which are over.',
    personal: 'To take part you need a personal link.', enough: 'This study has all the players that it needs.',
  },
  de: {
    agree: 'Ich stimme zu', begin: 'Anfangen', none: '(keine Angabe)', optional: 'Diese Fragen müssen Sie nicht beantworten.',
    starred: 'Fragen mit * brauchen eine Antwort.', again: 'Nicht alle Antworten waren richtig. Bitte lesen Sie noch einmal.',
    preview: 'Vorschau: nichts wird gespeichert', anew: 'Von vorn anfangen', screened: 'Danke für Ihr Interesse. Diese Studie sucht andere Spieler.',
    play: 'Level {position} von {count}', playOn: 'Level {position}', lesson: 'zum Kennenlernen', moves: 'Züge: {moves}', undo: 'Zurück', redo: 'Vor', restart: 'Von vorn', skipNow: 'Weiter', menu: 'Mehr', values: 'Werte',
    skip: 'Dieses Level überspringen', skip_later: 'In {seconds} s können Sie dieses Level überspringen', asText: 'Das Feld als Text',
    lost: 'Verloren. Nehmen Sie den Zug zurück oder beginnen Sie neu.',
    lostBy: 'Verloren ({cause}). Nehmen Sie den Zug zurück oder beginnen Sie neu.', holds: 'Aufgenommen',
    Solved: 'Gelöst!', Skipped: 'Übersprungen.', next: 'Weiter',
    rating: 'Wie schwer war es?', enjoyment: 'Wie viel Spaß hat es gemacht?', ratingEnds: ['sehr leicht', 'sehr schwer'],
    enjoymentEnds: ['gar keinen', 'sehr viel'], thanks: 'Vielen Dank!', finished: 'Sie haben alle Level gespielt.',
    level: 'Level', yours: 'Ihre Wertung', others: 'Mittel der anderen', solvedBy: 'Von anderen gelöst', link: 'Ihr Link',
    linkHint: 'Mit diesem Link kommen Sie wieder und spielen weiter, auf diesem Gerät oder einem anderen. Wer ihn hat, spielt als Sie.',
    kept: 'Was über mich gespeichert ist', keptHint: 'Ihre Antworten, und was Sie in jedem Level getan haben, mit Zeiten. Keine '
      + 'Adresse, kein Name Ihres Browsers. Mit einem Cookie kommen Sie wieder.', acts: 'Züge und anderes: {acts}',
    player: 'Sie sind Spieler {player}.', time: 'Sekunden', used: 'Züge', forget: 'Alles löschen',
    sure: 'Alles löschen, was über mich gespeichert ist?', forgotten: 'Gelöscht.', back: 'Zurück', contact: 'Kontakt: {contact}',
    line: 'Keine Verbindung; neuer Versuch …', failed: 'Der Server hatte einen Fehler; neuer Versuch …',
    full: 'Der Server kann gerade nichts speichern; neuer Versuch …',
    many: 'Gerade beginnen viele. Bitte versuchen Sie es in einer Minute noch einmal.',
    unknown: 'Dieser Link ist hier nicht bekannt.', consent: 'Bitte stimmen Sie erst zu.',
    answer: 'Eine der Antworten ist nicht wie verlangt.', other: 'Das Level ging in einem anderen Fenster weiter.',
    broken: 'Das Spiel hat einen Fehler: Dieses Level geht nicht weiter. Was Sie getan haben, bleibt gespeichert, und die anderen '
      + 'Level können Sie spielen.',
    board: 'Das Feld. Sie spielen mit den Pfeiltasten und den Tasten darunter.',
    keys: {up: 'hoch', down: 'runter', left: 'links', right: 'rechts', enter: 'Eingabe', space: 'Leertaste'},
    phrases: { // of the ways to play games that kits declare
      move: 'bewegen', 'choose a move': 'einen Zug wählen', 'make it': 'ihn machen', 'pick, or put down': 'aufnehmen oder ablegen',
      'move the cursor': 'die Marke bewegen', 'move the cursor, or what it holds': 'die Marke bewegen, oder was sie hält',
      'held: arrows move it, Enter puts it down': 'aufgenommen: Pfeile bewegen es, Eingabe legt es ab',
      'move, and draw the path that is held': 'bewegen, und den Weg ziehen, der aufgenommen ist',
      'take up or put down a path': 'einen Weg aufnehmen oder ablegen',
      'lay a rectangle from corner to corner, or take it up': 'ein Rechteck von Ecke zu Ecke legen oder aufnehmen',
      'place a block A, B, C or D, or take it up again': 'einen Block A, B, C oder D setzen oder aufnehmen',
      'fill the cell': 'das Feld füllen', 'clear it': 'es leeren', 'pencil marks, or values': 'Bleistift oder Werte',
      'pencil marks': 'Bleistift', 'block A reflects beams': 'Block A spiegelt Strahlen', 'block B stops beams': 'Block B hält Strahlen auf',
      'block C lets beams pass and reflects them': 'Block C lässt Strahlen durch und spiegelt sie',
      'block D shifts beams': 'Block D versetzt Strahlen', 'move #': 'Zug #', 'move # of #': 'Zug # von #',
      '# left': 'noch # leer', '# of # laid': '# von # gelegt',
      '# of as few as possible laid': '# gelegt, von so wenigen wie möglich',
    },
    where: 'Spalte {column}, Zeile {row}: {thing}', nothing: 'nichts', goBack: 'Zurück, woher Sie kamen', code: 'Ihr Code: {code}', timeLeft: 'noch {time}', identifier: 'Der Link ist nicht, wie er sein sollte.',
    knows: 'Ich kenne dieses Spiel und brauche keine Einführung', stop: 'Hier aufhören', goOn: 'Weiterspielen',
    left: 'Sie können weiterspielen, jetzt oder später, mit Ihrem Link.',
    late: 'Mit Ihrem Link konnten Sie {days} Tage lang spielen; sie sind vorbei.',
    personal: 'Zum Mitmachen brauchen Sie einen persönlichen Link.', enough: 'Diese Studie hat alle Spieler, die sie braucht.',
  },
};

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
