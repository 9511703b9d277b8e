// Keeps the page for visits without a network. A later visit with one asks for a newer page.
'use strict';

addEventListener('install', event => event.waitUntil((async () => { // the pages of this folder that are open came before this script
  const pages = await clients.matchAll({includeUncontrolled: true, type: 'window'}), cache = await caches.open('crux');
  await cache.addAll([...new Set(['./', ...pages.map(({url}) => url.replace(/#.*/, ''))])]);
  skipWaiting();
})()));
addEventListener('activate', event => event.waitUntil(clients.claim()));
addEventListener('fetch', event => event.respondWith((async () => {
  const cache = await caches.open('crux');
  try {
    const response = await fetch(event.request);
    if (response.ok && event.request.method === 'GET') await cache.put(event.request, response.clone());
    return response;
  } catch (problem) {
    const kept = await cache.match(event.request, {ignoreSearch: true});
    if (kept) return kept;
    throw problem;
  }
})()));
