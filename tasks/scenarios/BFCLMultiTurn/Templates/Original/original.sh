# The authors' own program, in an image that has it. $1 is the category. Where its options or its folders are called otherwise in the
# version that you have, this is the place.
set -e
# A name that the program knows; it asks OPENAI_BASE_URL, which is koab's gateway.
MODEL=${BFCL_MODEL:-gpt-4o-2024-11-20-FC}
bfcl generate --model "$MODEL" --test-category "$1" --result-dir result
bfcl evaluate --model "$MODEL" --test-category "$1" --result-dir result --score-dir score
