throw new SyntaxError("at import");
