--- crux rules: the rules that there are.
return require("crux.cli.script_list").command("rule", { "crux%.rule" })
