--- The task rules: the rules that there are.
return require "crux.task.shared.script_list" {
  summary = "List the rules.",
  kind = "rule",
  ways = { "crux%.rule" },
}
