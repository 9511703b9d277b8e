--- Messages about playing a level, and about its solution step by step.
local board = require "crux.play.board"
local fault = require "crux.base.fault"
local gestures = require "crux.play.gestures"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local pictures = require "crux.workbench.pictures"
local play = require "crux.play.play"
local Session = require "crux.play.session"

local kinds = {}

--- The most acts of a message: each is made again for the answer.
local MOST <const> = 5000

--- Makes acts of a player: { "key", KEY } or { "gesture", INPUTS }.
local function make(session, rules, acts)
  local function press(key) session:press(key) end
  for _, act in ipairs(acts) do
    local kind, value = table.unpack(type(act) == "table" and act or {})
    if type(value) ~= "string" then fault.raise "found no act, expected { \"key\", KEY } or { \"gesture\", INPUTS }" end
    if kind == "gesture" then
      session:together(function()
        for _, input in ipairs(gestures.inputs(value)) do gestures.make(session, rules, input, press) end
      end)
    else
      gestures.make(session, rules, value, press)
    end
  end
end

--- A level after the acts of a player from its start, as the scripts of web/study show it.
---@param message { text: string, acts: string[][] }
function kinds.play(engine, message)
  local game, level = engine:game(message), engine:level(message)
  local rules, acts = play.rules(game), message.acts or {}
  if type(acts) ~= "table" or #acts > MOST then fault.at("message: field 'acts'", "another", "a list of at most 5,000 acts") end
  local session = Session.new(rules, level)
  make(session, rules, acts)
  return json.plain(json.object(lists.concat({ { "stage", "play" }, { "acts", #acts }, { "subject", "play" },
    { "doc", game.doc }, { "moves", session.standing }, { "is_done", session:done() }, { "lost", session:lost() },
    { "holds", session:holds() }, { "note_of_key", session.message }, { "skip_in", 0 }, { "keys", json.of(rules.keys) },
    { "click", rules.click } }, board.of(session, game, rules))))
end

--- A step of the solution, from 0 for the start: { count, move, picture, ... }; of a game without moves, 1 is the solution.
---@param message { text: string, place: integer? }
function kinds.step(engine, message)
  local game, level, place = engine:game(message), engine:level(message), message.place or 0
  local solution = engine:solution(message, level)
  if solution.status ~= "solved" then fault.raise "the level has no solution, expected one to show" end
  local way = solution.way
  local count = way and #way - 1 or 1
  if place < 0 or place > count then fault.at("message: field 'place'", tostring(place), "a step of the solution") end
  local painting
  if way then painting = game:painting(level, nil, way[place + 1])
  else painting = game:painting(level, place == 1 and solution or nil) end
  return lists.merge(pictures.of(game, painting), { count = count, move = way and solution.moves[place] or nil })
end

return kinds
