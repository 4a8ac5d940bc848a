"""Models that write: any encoder-decoder model as a rewriter of rows.

`loading` reads a model, `controls` tells it what to do, `pieces` splits what it cannot read whole,
and `decoding` has it write.
"""
