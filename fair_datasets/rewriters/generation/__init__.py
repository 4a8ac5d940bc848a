"""Models that write: any encoder-decoder model as a rewriter of rows.

`loading` reads a model, `controls` tells it what to do, `writing` asks it for texts, in parts where
it cannot read them whole, and `decoding` has it write.
"""
