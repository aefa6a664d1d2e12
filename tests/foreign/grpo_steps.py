"""Two steps of TRL's GRPOTrainer in a generated environment; prints what was logged. Run by `.venv-foreign`.

The model says one sentence to the user, as a call, whatever it is told: so the conversation goes on through TRL's loop.
"""

import json
import sys
from pathlib import Path

import torch
import trl
from datasets import Dataset
from make_models import make_constant
from transformers import AutoModelForCausalLM, AutoTokenizer, Qwen2Config

SAYS = '<tool_call>\n{"name": "say", "arguments": {"message": "Which one?"}}\n</tool_call>'

if __name__ == "__main__":
    environment, scratch = map(Path, sys.argv[1:])
    sys.path.insert(0, str(environment))
    import callwright_env

    make_constant(scratch / "model", SAYS, Qwen2Config)
    tokens = AutoTokenizer.from_pretrained(scratch / "model")
    tokens.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    settings = trl.GRPOConfig(
        output_dir=str(scratch / "out"),
        max_steps=2,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=512,
        max_tool_calling_iterations=2,
        gradient_checkpointing=False,
        use_cpu=True,
        bf16=False,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        reward_weights=callwright_env.reward_weights,
    )
    trainer = trl.GRPOTrainer(
        model=AutoModelForCausalLM.from_pretrained(scratch / "model", dtype=torch.float32),
        args=settings,
        train_dataset=Dataset.from_list(callwright_env.rows()[:2]),
        processing_class=tokens,
        environment_factory=callwright_env.CallwrightEnvironment,
        reward_funcs=callwright_env.reward_funcs,
    )
    trainer.train()
    sys.stdout.write(f"\n{json.dumps(trainer.state.log_history[:2])}\n")
