--- Arne's palette: colours by name. The original engine uses it unless a game chooses another palette.
local palette = {
  black = "#000000", white = "#FFFFFF", lightgray = "#CCCCCC", gray = "#9D9D9D", darkgray = "#697175",
  red = "#BE2633",
  darkred = "#732930", lightred = "#E06F8B", brown = "#A46422", darkbrown = "#493C2B",
  lightbrown = "#EEB62F", orange = "#EB8931",
  yellow = "#F7E26B", green = "#44891A", darkgreen = "#2F484E", lightgreen = "#A3CE27", blue = "#1D57F7", lightblue = "#B2DCEF",
  darkblue = "#1B2632", purple = "#342A97", pink = "#DE65E2",
}
for _, shade in ipairs { "", "light", "dark" } do palette[shade .. "grey"] = palette[shade .. "gray"] end

return palette
