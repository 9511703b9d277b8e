// Gives a program in node the variables of its environment. Emscripten's dup() opens a file again, with the flags that it was opened
// with: without O_EXCL, or it would have to be new.
Module['preRun'] = () => {
  Object.assign(ENV, process.env);
  const open = FS.open, O_EXCL = 128;
  FS.open = (...given) => {
    const stream = open(...given);
    stream.flags &= ~O_EXCL;
    return stream;
  };
};
