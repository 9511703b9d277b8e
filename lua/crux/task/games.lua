--- The task games: the games that there are.
return require "crux.task.shared.script_list" {
  summary = "List the games.",
  kind = "game",
  ways = { "crux%.grid", "crux%.kits", "crux%.game" },
}
