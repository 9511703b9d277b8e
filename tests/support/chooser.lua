--- Returns a function that takes a number from 1 to n off bytes at each call, and 1 at their end: how bytes of a fuzzer draw a script.
---@return fun(n: integer): integer
return function(bytes)
  local at = 0
  return function(n)
    at = at + 1
    return (bytes:byte(at) or 0) % n + 1
  end
end
