"""Flutter: read finders that found nothing, and the trees that a widget test can print, so that lost widgets can be found."""
