// The carrier of the page that `crux workbench` serves: messages go to it by HTTP, each below the secret of the link.
'use strict';

const tab = Math.floor(Math.random() * 2 ** 52).toString(16); // of this page: others do not overtake its messages

async function post(path, body) {
  const response = await fetch(path, {method: 'POST', body});
  return response.json();
}

carry({
  ask: (message, subject, round) => post(`ask/${tab}/${subject}/${round}`, JSON.stringify(message)),
  stop: (subject, round) => post(`stop/${tab}/${subject}/${round}`, ''),
  finish: subject => post(`finish/${tab}/${subject}/0`, ''),
  progress: subject => post(`progress/${tab}/${subject}/0`, ''),
});
