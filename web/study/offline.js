// In the page: starts the service worker, which is this file, too. There: keeps the files of the page, so that a page that is loaded
// again without a connection says that it waits. Browsers have service workers over HTTPS, and on the machine of the server.
'use strict';

const kept = () => caches.open('page');

// Asks the server first; without an answer, what is kept. The link of a player is never kept.
async function answer(request) {
  try {
    return await fetch(request);
  } catch (problem) {
    const known = await (await kept()).match(request, {ignoreSearch: true});
    if (!known) throw problem;
    return known;
  }
}

if (self.document) {
  navigator.serviceWorker?.register('/offline.js');
} else {
  self.addEventListener('install', event => event.waitUntil((async () => {
    const page = await (await fetch('/')).text(), files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(found => found[1]);
    await (await kept()).addAll(['/', ...files]);
    await self.skipWaiting();
  })()));
  self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', event => {
    if (event.request.method === 'GET' && !new URL(event.request.url).pathname.startsWith('/progress')) {
      event.respondWith(answer(event.request));
    }
  });
}
