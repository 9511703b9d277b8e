// Gives a program in node the variables of its environment.
Module['preRun'] = () => Object.assign(ENV, process.env);
