--- Random numbers of the normal distribution around 0 (Box and Muller 1958).

---@param stream userdata      of libcrux.random, which gives two numbers for each
---@param deviation number?    1 unless given
return function(stream, deviation)
  return (deviation or 1) * math.sqrt(-2 * math.log(1 - stream:real())) * math.cos(2 * math.pi * stream:real())
end
