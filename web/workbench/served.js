// The carrier of the page that `crux workbench` serves: messages go to it by HTTP, each below the secret of the link.
'use strict';

async function post(path, body) {
  const response = await fetch(path, {method: 'POST', body});
  return response.json();
}

carry({
  ask: (message, subject, round) => post(`ask/${subject}/${round}`, JSON.stringify(message)),
  stop: (subject, round) => post(`stop/${subject}/${round}`, ''),
  progress: subject => post(`progress/${subject}/0`, ''),
});
