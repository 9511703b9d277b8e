--- Tests of libcrux.token.
local luaunit = require "luaunit"

local Token = {}

local function token() return package.preload["libcrux.token"] and require "libcrux.token" or luaunit.skip "built without crux serve" end

--- The examples of FIPS 180-4 that NIST publishes, and lengths about the block of 64 bytes, from coreutils' sha256sum.
function Token.test_digest()
  local digest = token().digest
  for text, expected in pairs {
    [""] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq =
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    [("a"):rep(1000000)] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    [("a"):rep(55)] = "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
    [("a"):rep(56)] = "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
    [("a"):rep(64)] = "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
  } do luaunit.assertEquals(digest(text), expected, #text) end
end

function Token.test_new()
  local new, seen = token().new, {}
  for _ = 1, 100 do
    local text = new()
    luaunit.assertStrMatches(text, ("[0-9a-f]"):rep(32))
    luaunit.assertNil(seen[text])
    seen[text] = true
  end
end

return { Token = Token }
