"""Measures levels, fits a formula to players' ratings, and compares three variants of it: crux from Python.

Run in the folder of crux, after make, or where crux is installed:  PYTHONPATH=python python3 examples/study.py
"""

import csv

import crux

# The ratings of the study, and the levels that were rated: datasets/README.md.
with open("datasets/flow.csv", encoding="utf-8") as file:
    ratings = {row["level"]: row for row in csv.DictReader(file)}

measured = crux.measure("flow", "datasets/levels/flow", measures=["size", "colours", "corners"], jobs=2)
rows = [row for row in measured["rows"] if row["level"] in ratings]
levels = {key: [row[key] for row in rows] for key in ("level", "size", "colours", "corners")}
levels["difficulty"] = [ratings[name]["difficulty"] for name in levels["level"]]

fitted = crux.fit(formula="difficulty ~ size + colours", data=levels, output="my-flow.lua")
for term in fitted["terms"]:
    print("%-12s %8.4f  p %.2g" % (term["term"], term["estimate"], term["p"]))

variants = ["difficulty ~ size", "difficulty ~ size + colours", "difficulty ~ log(size) + corners"]
compared = crux.compare(variants, data=levels, repeats=20)
for rule in compared["rules"]:
    print("%-34s off by %.2f on levels that it has not seen" % (rule["rule"], rule["mae"]))
print(*compared.notes[1:], sep="\n")

drawn = crux.plot("predicted", formula=compared["best"][0], data=levels)
with open("study.svg", "w", encoding="utf-8") as file:
    file.write(drawn["svg"])
