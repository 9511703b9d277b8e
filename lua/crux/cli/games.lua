--- crux games: the games that there are.
return require("crux.cli.script_list").command("game", { "crux%.grid", "crux%.kits", "crux%.game" })
