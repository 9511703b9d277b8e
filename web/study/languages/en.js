// The texts of the page in English, and the table of all languages: a file each, which this one begins.
'use strict';

const texts = {en: {
  agree: 'I agree', begin: 'Begin', none: '(no answer)', optional: 'You need not answer these questions.',
  starred: 'Questions with * need an answer.', again: 'Not all answers were right. Please read this once more.',
  noUndo: 'There is nothing to undo.', noRedo: 'There is nothing to redo.', idle: 'This does nothing now.',
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
}};
