"""Flutter: finders that found nothing, and the trees that a widget test can print, read so that a lost one is found."""
