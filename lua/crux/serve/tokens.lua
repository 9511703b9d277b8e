--- libcrux.token: the names of players in cookies and links. Empty if crux was built without it; then crux.serve.store opens no
--- database.
return package.preload["libcrux.token"] and require "libcrux.token" or {}
