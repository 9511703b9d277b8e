// NLopt's nlopt_optimize() names all its algorithms; these are not linked, as crux calls another one.
for (const name of ('auglag_minimize bobyqa ccsa_quadratic_minimize cdirect cdirect_unscaled chevolutionarystrategy cobyla_minimize crs_minimize '
  + 'direct_optimize isres_minimize luksan_plip luksan_plis luksan_pnet mlsl_minimize mma_minimize newuoa nlopt_slsqp praxis_').split(' ')) {
  LibraryManager.library[name] = function() { abort('an algorithm of NLopt that is not linked'); };
}
